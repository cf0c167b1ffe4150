package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/lock"
	"github.com/idemgen/idemgen/internal/model"
)

// withoutPositions compares what was decided, and not where it was written.
var withoutPositions = cmpopts.IgnoreTypes(diag.Position{})

// ofToday leaves out what the lock does not say, since today's document decides
// how today's requests are decoded.
var ofToday = cmpopts.IgnoreFields(model.Node{}, "Zero", "Required", "Exact", "Names", "Delimiter", "GoType")

// sameFormat looks over two notations of the same thing.
var sameFormat = cmp.FilterPath(
	func(path cmp.Path) bool { return path.Last().String() == ".Format" },
	cmp.Comparer(func(a, b string) bool { return strings.TrimPrefix(a, "byte") == strings.TrimPrefix(b, "byte") }))

// checkRestored demands that the fields of each operation survive the lock: what
// generated code makes of them then is what it makes of the document.
func checkRestored(t *testing.T, contract *model.Contract) {
	t.Helper()
	for _, operation := range contract.Operations {
		want := operation.Fingerprint.Roots
		got, err := lock.Restore(lock.Fields(want))
		if err != nil {
			t.Errorf("%s: %v", operation.Name, err)
			continue
		}
		if diff := cmp.Diff(want, got, withoutPositions, ofToday, sameFormat); diff != "" {
			t.Errorf("%s: (-planned +restored):\n%s", operation.Name, diff)
		}
	}
}
