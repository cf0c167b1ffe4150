package gopkg

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every stub is Go of its own, but for packages that have no stub.
func TestStubsTypeCheck(t *testing.T) {
	entries, err := fs.ReadDir(stubs, "stubs")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(stubs, "stubs/"+entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, entry.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: newCheckImporter(fset, nil), IgnoreFuncBodies: true, Error: func(err error) {
			if !strings.Contains(err.Error(), errStub.Error()) {
				t.Error(err)
			}
		}}
		_, _ = config.Check(entry.Name(), fset, []*ast.File{file}, nil)
	}
}

// What the runtime's stubs declare, the runtime has, with the same signature.
func TestRuntimeStubsAreTrue(t *testing.T) {
	for name, functions := range map[string]int{"fingerprint": 20, "idemrt": 6} {
		files, err := filepath.Glob("../../idem/" + name + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no runtime: %v", err)
		}
		actual := map[string]string{}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				signatures(t, file, nil, actual)
			}
		}
		stubName := "stubs/github.com_idemgen_idemgen_idem_" + name + ".gotxt"
		text, err := fs.ReadFile(stubs, stubName)
		if err != nil {
			t.Fatal(err)
		}
		stub := map[string]string{}
		signatures(t, stubName, text, stub)
		if len(stub) < functions {
			t.Fatalf("the stub of %s has only %d functions", name, len(stub))
		}
		for function, signature := range stub {
			if actual[function] != signature {
				t.Errorf("%s.%s is %q in the stub and %q in the runtime", name, function, signature, actual[function])
			}
		}
	}
}

// signatures adds the file's exported functions and methods to all: the types of
// parameters and results, without the parameters' names.
func signatures(t *testing.T, name string, text []byte, all map[string]string) {
	t.Helper()
	var source any
	if text != nil {
		source = text
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !function.Name.IsExported() {
			continue
		}
		key := function.Name.Name
		if function.Recv != nil {
			key = printed(t, fset, function.Recv.List[0].Type) + "." + key
		}
		all[key] = "(" + fieldTypes(t, fset, function.Type.Params) + ") (" + fieldTypes(t, fset, function.Type.Results) + ")"
	}
}

func fieldTypes(t *testing.T, fset *token.FileSet, list *ast.FieldList) string {
	t.Helper()
	if list == nil {
		return ""
	}
	var all []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			all = append(all, printed(t, fset, field.Type))
		}
	}
	return strings.Join(all, ", ")
}

func printed(t *testing.T, fset *token.FileSet, node ast.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, node); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAssumedName(t *testing.T) {
	for path, want := range map[string]string{
		"time":                         "time",
		"net/http":                     "http",
		"github.com/jackc/pgx/v5":      "pgx",
		"go.yaml.in/yaml/v4":           "yaml",
		"github.com/google/go-cmp/cmp": "cmp",
		"github.com/acme/go-money":     "money",
		"v2":                           "v2",
	} {
		if got := assumedName(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
