package spec_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/spec"
)

// sections are the expectations of a case in testdata.
var sections = goldentest.Sections{"diagnostics", "annotations"}

// TestGolden loads openapi.yaml, or openapi.json, of each case, with overlay.yaml if
// there is one. "diagnostics" holds everything that is reported, and "annotations"
// every value that was read, with its position; for a case without a document it holds
// "no document".
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata", sections, func(t *testing.T, c *goldentest.Case) map[string]string {
		t.Chdir(c.Unpack(t))
		doc, list := spec.Load(mainFile(), overlayFile())
		checkPositions(t, list)
		got := map[string]string{"diagnostics": "", "annotations": dump(doc)}
		if len(list) > 0 {
			got["diagnostics"] = list.Error() + "\n"
		}
		return got
	})
}

func mainFile() string {
	if _, err := os.Stat("openapi.json"); err == nil {
		return "openapi.json"
	}
	return "openapi.yaml"
}

func overlayFile() string {
	if _, err := os.Stat("overlay.yaml"); err == nil {
		return "overlay.yaml"
	}
	return ""
}

func checkPositions(t *testing.T, list diag.List) {
	t.Helper()
	for _, d := range list {
		if !d.Pos.Valid() {
			t.Errorf("no valid position: %#v", d)
		}
		if d.Message == "" || strings.ContainsAny(d.Message+d.Remedy, "\r\n") {
			t.Errorf("not one line: %#v", d)
		}
	}
}

// dump lists everything in a document's annotations.
func dump(doc *spec.Document) string {
	if doc == nil {
		return "no document\n"
	}
	var b strings.Builder
	if doc.Root != nil {
		fmt.Fprintf(&b, "root %s%s\n", doc.Root.Pos, malformed(doc.Root.Malformed))
		for _, s := range doc.Root.Scopes {
			fmt.Fprintf(&b, "  scope %s %s%s\n", s.Name, s.Pos, malformed(s.Malformed))
			dumpFields(&b, "    ", reflect.ValueOf(s))
		}
		dumpFields(&b, "  defaults.", reflect.ValueOf(doc.Root.Defaults))
	}
	for _, op := range doc.Operations {
		fmt.Fprintf(&b, "%s %s %s", op.Method, op.Path, op.Pos)
		if op.ID.Present() {
			fmt.Fprintf(&b, " %s %s", op.ID.V, op.ID.Pos)
		}
		b.WriteByte('\n')
		if a := op.Annotation; a != nil {
			fmt.Fprintf(&b, "  annotation %s%s\n", a.Pos, malformed(a.Malformed))
			dumpFields(&b, "    ", reflect.ValueOf(*a))
			dumpFields(&b, "    ", reflect.ValueOf(a.Settings))
		}
	}
	return b.String()
}

func malformed(yes bool) string {
	if yes {
		return " malformed"
	}
	return ""
}

// dumpFields prints the fields of a struct that are Values.
func dumpFields(b *strings.Builder, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); isValue(f) {
			dumpValue(b, prefix+v.Type().Field(i).Name, f)
		}
	}
}

func isValue(v reflect.Value) bool {
	return v.Kind() == reflect.Struct && v.FieldByName("V").IsValid() && v.FieldByName("OK").IsValid()
}

func dumpValue(b *strings.Builder, name string, v reflect.Value) {
	pos := v.FieldByName("Pos").Interface().(diag.Position)
	if !pos.Valid() {
		return
	}
	inner := v.FieldByName("V")
	key := v.FieldByName("Key").Interface().(diag.Position)
	where := pos.String()
	if key != pos {
		where = fmt.Sprintf("%s (key %d:%d)", pos, key.Line, key.Column)
	}
	_, isText := inner.Interface().(fmt.Stringer)
	switch {
	case !v.FieldByName("OK").Bool():
		fmt.Fprintf(b, "%s malformed %s\n", name, where)
	case inner.Kind() == reflect.Struct && !isText:
		fmt.Fprintf(b, "%s %s\n", name, where)
		dumpFields(b, name+".", inner)
	case inner.Kind() == reflect.Slice:
		fmt.Fprintf(b, "%s %s\n", name, where)
		for i := range inner.Len() {
			item := inner.Index(i)
			if at := fmt.Sprintf("%s[%d]", name, i); isValue(item) {
				dumpValue(b, at, item)
			} else {
				dumpFields(b, at+".", item)
			}
		}
	default:
		fmt.Fprintf(b, "%s = %v %s\n", name, inner.Interface(), where)
	}
}
