package spec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/corpustest"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestCorpus loads real API descriptions: all of them must be accepted, and the
// position of each operation must be where the file has it.
func TestCorpus(t *testing.T) {
	for _, file := range corpustest.Files(t) {
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
		})
	}
}

// checkOperations compares the positions of operations with kin-openapi's and with the
// result of a lookup.
func checkOperations(t *testing.T, doc *spec.Document) {
	t.Helper()
	located := checkSame(t, doc)
	for _, op := range doc.Operations {
		if pos, ok := doc.Origin(located.Paths.Value(op.Path).GetOperation(op.Method).Origin); !ok || pos != op.Pos {
			t.Errorf("%s: kin-openapi has %s %s at %s", op.Pos, op.Method, op.Path, pos)
		}
		if got := doc.PositionOf(op.Pointer); got != op.Pos {
			t.Errorf("%s: %s %s is looked up at %s", op.Pos, op.Method, op.Path, got)
		}
	}
}

// checkSame checks that kin-openapi gets the same document from the tree as from the
// text, except for descriptions, and returns the latter.
func checkSame(t *testing.T, doc *spec.Document) *openapi3.T {
	t.Helper()
	fresh, err := doc.Fresh()
	if err != nil {
		t.Fatal(err)
	}
	located, err := doc.Located()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withoutProse(t, located), withoutProse(t, fresh)); diff != "" {
		t.Errorf("the document differs: -read +decoded\n%s", diff)
	}
	return located
}

// withoutProse returns the document as JSON, with all descriptions equal.
func withoutProse(t *testing.T, doc *openapi3.T) any {
	t.Helper()
	doc.InternalizeRefs(context.Background(), nil)
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	dropProse(tree)
	return tree
}

func dropProse(tree any) {
	switch tree := tree.(type) {
	case []any:
		for _, item := range tree {
			dropProse(item)
		}
	case map[string]any:
		for name, value := range tree {
			if _, isText := value.(string); isText && name == "description" {
				tree[name] = "-"
			}
			dropProse(value)
		}
	}
}
