package render

import (
	"go/format"
	"strings"
	"testing"
)

// w is a name that is long enough to make lines too long.
var w = strings.Repeat("W", 40)

func TestWrap(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"short": {"func f(a int) error { return nil }", "func f(a int) error { return nil }"},
		"parameters": {
			"func (s *server) Create(ctx context.Context, request W) (W, error) {\n\treturn nil\n}",
			"func (s *server) Create(\n\tctx context.Context, request W,\n) (W, error) {\n\treturn nil\n}",
		},
		"a call": {
			"func f() {\n\tcall(a, b, W, W, W)\n}",
			"func f() {\n\tcall(\n\t\ta, b, W, W,\n\t\tW,\n\t)\n}",
		},
		"a literal at the end of a call": {
			"func f() {\n\treturn call(db, t.T{A: W, B: W, C: W})\n}",
			"func f() {\n\treturn call(db, t.T{\n\t\tA: W, B: W,\n\t\tC: W,\n\t})\n}",
		},
		"a literal at the end of a call in a call": {
			"func f() {\n\treturn outer(call(db, t.T{A: W, B: W, C: W}))\n}",
			"func f() {\n\treturn outer(call(db, t.T{\n\t\tA: W, B: W,\n\t\tC: W,\n\t}))\n}",
		},
		"type arguments": {
			"var v = t.T[W, W, W]{\n\tA: 1,\n}",
			"var v = t.T[\n\tW, W,\n\tW,\n]{\n\tA: 1,\n}",
		},
		"a function's body": {
			"var v = t.T{\n\tKey: func(r W) *string { return r.W.W },\n}",
			"var v = t.T{\n\tKey: func(r W) *string {\n\t\treturn r.W.W\n\t},\n}",
		},
		"a case": {
			"func f() {\n\tswitch x {\n\tcase \"W\", \"W\", \"W\":\n\t}\n}",
			"func f() {\n\tswitch x {\n\tcase \"W\", \"W\",\n\t\t\"W\":\n\t}\n}",
		},
		"a condition": {
			"func f() {\n\tif W == nil && W == nil && W == nil {\n\t}\n}",
			"func f() {\n\tif W == nil && W == nil &&\n\t\tW == nil {\n\t}\n}",
		},
		"a comment": {
			"// one W two W three W\nvar v int",
			"// one W two W three\n// W\nvar v int",
		},
		"a string":            {"var v = \"W(W, W)\"", "var v = \"W(W, W)\""},
		"a comma in a string": {"var v = f(\"W, W\", W)", "var v = f(\n\t\"W, W\",\n\tW,\n)"},
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte("package p\n\n" + strings.ReplaceAll(test.source, "W", w) + "\n")
			got, err := wrap(source)
			if err != nil {
				t.Fatal(err)
			}
			if want := "package p\n\n" + strings.ReplaceAll(test.want, "W", w) + "\n"; string(got) != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if again, err := format.Source(got); err != nil || string(again) != string(got) {
				t.Errorf("it is not formatted: %v\n%s", err, again)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	if got := columns("\t\té"); got != 2*tabColumns+1 {
		t.Errorf("got %d", got)
	}
}
