package idem

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Whoever imports the runtime gets the standard library, pgx and what pgx links,
// nothing else.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, below...) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "idemtest") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range source.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			domain, _, _ := strings.Cut(path, "/")
			linked := strings.HasPrefix(path, "github.com/jackc/pgx/v5") || path == "golang.org/x/text/unicode/norm" ||
				strings.HasPrefix(path, "github.com/idemgen/idemgen/idem/")
			if strings.Contains(domain, ".") && !linked {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}
