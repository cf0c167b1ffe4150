package plan

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

var update = flag.Bool("update", false, "rewrite the expected part of golden cases")

// TestContract runs the cases in testdata/contract. A case holds a document in
// api.yaml, perhaps other files, and in want the diagnostics and, where there is
// one, the contract. A case with a file named strict, or nullable-type, is planned
// with that option.
func TestContract(t *testing.T) {
	golden(t, "testdata/contract", func(t *testing.T, files map[string]string) string {
		_, strict := files["strict"]
		_, nullableType := files["nullable-type"]
		contract, list := load(t, files, Options{Strict: strict, NullableType: nullableType})
		var out strings.Builder
		writeList(&out, list)
		if contract != nil {
			dump(&out, contract)
			checkRestored(t, contract)
		}
		return out.String()
	})
}

// golden runs each txtar file of a folder and compares what run returns with the
// file want in it.
func golden(t *testing.T, dir string, run func(t *testing.T, files map[string]string) string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := make(map[string]string)
			for _, file := range archive.Files {
				files[file.Name] = string(file.Data)
			}
			got := run(t, files)
			if *update {
				writeWant(t, path, archive, got)
				return
			}
			if diff := cmp.Diff(files["want"], got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func writeWant(t *testing.T, path string, archive *txtar.Archive, got string) {
	var kept []txtar.File
	for _, file := range archive.Files {
		if file.Name != "want" {
			kept = append(kept, file)
		}
	}
	kept = append(kept, txtar.File{Name: "want", Data: []byte(got)})
	archive.Files = kept
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// load plans api.yaml of a case. The list holds spec's diagnostics too.
func load(t *testing.T, files map[string]string, options Options) (*model.Contract, diag.List) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay := ""
	if _, ok := files["overlay.yaml"]; ok {
		overlay = "overlay.yaml"
	}
	doc, list := spec.Load("api.yaml", overlay)
	if doc == nil {
		return nil, list
	}
	contract, planned := Contract(doc, options)
	list.Add(planned...)
	list.Sort()
	checkPositions(t, list)
	return contract, list
}

func checkPositions(t *testing.T, list diag.List) {
	t.Helper()
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no position: %s", d)
		}
	}
}

func writeList(out *strings.Builder, list diag.List) {
	for _, d := range list {
		out.WriteString(d.String() + "\n")
	}
}

// TestExample plans the example's own document.
func TestExample(t *testing.T) {
	doc, list := spec.Load("../../openapi/orders.yaml", "")
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	contract, list := Contract(doc, Options{Strict: true})
	if len(list) > 0 {
		t.Fatal(list.Error())
	}
	var out strings.Builder
	dump(&out, contract)
	compareFile(t, "testdata/orders.want", out.String())
}

func compareFile(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// FuzzContract plans any document that can be read: it never panics, and every
// diagnostic has a position.
func FuzzContract(f *testing.F) {
	paths, err := filepath.Glob("testdata/contract/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name == "api.yaml" {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "api.yaml")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		doc, _ := spec.Load(path, "")
		if doc == nil {
			return
		}
		contract, list := Contract(doc, Options{})
		checkPositions(t, list)
		if contract != nil {
			dump(&strings.Builder{}, contract)
			checkRestored(t, contract)
		}
	})
}
