package lock

import (
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/model"
)

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
		_, err := Restore(test.fields)
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
		roots, err := Restore(fields)
		if err != nil {
			return
		}
		if changes := fieldChanges(fields, Fields(roots)); len(changes) > 0 {
			t.Errorf("%q changed: %q", list, changes)
		}
	})
}
