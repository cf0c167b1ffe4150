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

// withoutPositions compares decisions and ignores their positions.
var withoutPositions = cmpopts.IgnoreTypes(diag.Position{})

// ofToday ignores everything that is not in the lock: how today's requests are decoded
// depends on today's document.
var ofToday = cmpopts.IgnoreFields(model.Node{}, "Zero", "Required", "Exact", "Names", "Delimiter", "GoType")

// sameFormat treats two notations of a format as equal.
var sameFormat = cmp.FilterPath(
	func(path cmp.Path) bool { return path.Last().String() == ".Format" },
	cmp.Comparer(func(a, b string) bool { return strings.TrimPrefix(a, "byte") == strings.TrimPrefix(b, "byte") }))

// checkRestored checks that the fields of each operation can be restored from the
// lock: generated code must be the same as with the fields of the document.
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
