package idem

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Whoever imports the runtime gets the standard library, pgx and what pgx links,
// nothing else.
func TestImports(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range source.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			domain, _, _ := strings.Cut(path, "/")
			linked := strings.HasPrefix(path, "github.com/jackc/pgx/v5") || path == "golang.org/x/text/unicode/norm"
			if strings.Contains(domain, ".") && !linked {
				t.Errorf("%s imports %s", file.Name(), path)
			}
		}
	}
}
