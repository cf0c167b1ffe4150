package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/idemgen/idemgen/internal/model"
)

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
		got, err := restore(lockFields(want))
		if err != nil {
			t.Errorf("%s: %v", operation.Name, err)
			continue
		}
		if diff := cmp.Diff(want, got, withoutPositions, ofToday, sameFormat); diff != "" {
			t.Errorf("%s: (-planned +restored):\n%s", operation.Name, diff)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	for _, test := range []struct {
		fields []model.LockField
		want   string
	}{
		{[]model.LockField{{Path: "body..a", Type: "string"}}, "is no field path"},
		{[]model.LockField{{Path: "header", Type: "string"}}, "is no field path"},
		{[]model.LockField{{Path: "body.a", Type: "string"}, {Path: "body.a", Type: "string"}}, "is listed twice"},
		{[]model.LockField{{Path: "body.a", Type: "string"}, {Path: "body.a.b", Type: "string"}}, "contradict"},
		{[]model.LockField{{Path: "body.a", Type: "object"}, {Path: "body.a.b", Type: "string"}}, "contradict"},
		{[]model.LockField{{Path: "body.a.b", Type: "string"}, {Path: "body.a[]", Type: "string"}}, "contradict"},
		{[]model.LockField{{Path: "body.a", Type: "map"}}, "contradict"},
	} {
		_, err := restore(test.fields)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want %q", test.fields, err, test.want)
		}
	}
}

// FuzzRestore restores any list: it fails, or gives a tree that has that list.
func FuzzRestore(f *testing.F) {
	f.Add("body.items[].sku string\nbody.labels map\nbody.labels[] string byte\npath.id string uuid")
	f.Add("body list\nbody[] list\nbody[][] object")
	f.Add("body.a json\nbody.a.b string\nheader.X integer int64")
	f.Fuzz(func(t *testing.T, list string) {
		var fields []model.LockField
		for line := range strings.Lines(list) {
			path, kind, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			fields = append(fields, model.LockField{Path: path, Type: kind})
		}
		roots, err := restore(fields)
		if err != nil {
			return
		}
		if changes := fieldChanges(fields, lockFields(roots)); len(changes) > 0 {
			t.Errorf("%q changed: %q", list, changes)
		}
	})
}
