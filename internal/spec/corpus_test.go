package spec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestCorpus loads real API descriptions: none of them may be refused, and the
// position of each operation is where the file says it is.
func TestCorpus(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			doc, list := spec.Load(file, "")
			for _, d := range list {
				if d.Severity == diag.Error {
					t.Error(d)
				}
			}
			if doc == nil || len(doc.Operations) == 0 {
				t.Fatal("no document, or one without operations")
			}
			checkOperations(t, doc)
			if _, err := doc.Fresh(); err != nil {
				t.Error(err)
			}
		})
	}
}

// corpus returns the files in IDEMGEN_CORPUS.
func corpus(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("IDEMGEN_CORPUS")
	if dir == "" {
		if os.Getenv("IDEMGEN_REQUIRE") == "1" {
			t.Fatal("IDEMGEN_CORPUS is not set, and IDEMGEN_REQUIRE=1 demands it")
		}
		t.Skip("IDEMGEN_CORPUS is not set: NO REAL API DESCRIPTIONS ARE READ")
	}
	var files []string
	for _, pattern := range []string{"*.yaml", "*.yml", "*.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatalf("no API descriptions in %s", dir)
	}
	return files
}

// checkOperations compares the positions of operations with kin-openapi's and
// with those that are looked up.
func checkOperations(t *testing.T, doc *spec.Document) {
	t.Helper()
	for _, op := range doc.Operations {
		if pos, ok := doc.Origin(op.OpenAPI.Origin); !ok || pos != op.Pos {
			t.Errorf("%s: kin-openapi has %s %s at %s", op.Pos, op.Method, op.Path, pos)
		}
		if got := doc.PositionOf(op.Pointer); got != op.Pos {
			t.Errorf("%s: %s %s is looked up at %s", op.Pos, op.Method, op.Path, got)
		}
	}
}
