package spec_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/spec"
)

func TestParseFieldPath(t *testing.T) {
	name := func(s string) spec.Step { return spec.Step{Name: s} }
	each := spec.Step{Each: true}
	tests := []struct {
		text, canonical string
		in              spec.Location
		steps           []spec.Step
	}{
		{"path.order_id", "", spec.InPath, []spec.Step{name("order_id")}},
		{"query.dry_run", "", spec.InQuery, []spec.Step{name("dry_run")}},
		{"query.ids[]", "", spec.InQuery, []spec.Step{name("ids"), each}},
		{"query.filter.since", "", spec.InQuery, []spec.Step{name("filter"), name("since")}},
		{`query["page.size"]`, "", spec.InQuery, []spec.Step{name("page.size")}},
		{"header.X-Tenant", "", spec.InHeader, []spec.Step{name("X-Tenant")}},
		{"cookie.session", "", spec.InCookie, []spec.Step{name("session")}},
		{"body", "", spec.InBody, nil},
		{"body.a.b", "", spec.InBody, []spec.Step{name("a"), name("b")}},
		{"body[]", "", spec.InBody, []spec.Step{each}},
		{"body.*", "body[]", spec.InBody, []spec.Step{each}},
		{"body[].a", "", spec.InBody, []spec.Step{each, name("a")}},
		{"body.items[].sku", "", spec.InBody, []spec.Step{name("items"), each, name("sku")}},
		{"body.items.*.sku", "body.items[].sku", spec.InBody, []spec.Step{name("items"), each, name("sku")}},
		{"body.rows[][]", "", spec.InBody, []spec.Step{name("rows"), each, each}},
		{`body["odd.name"].x`, "", spec.InBody, []spec.Step{name("odd.name"), name("x")}},
		{`body["plain"]`, "body.plain", spec.InBody, []spec.Step{name("plain")}},
		{`body["*"]`, "", spec.InBody, []spec.Step{name("*")}},
		{`body["a\"b\\c]"]`, "", spec.InBody, []spec.Step{name(`a"b\c]`)}},
		{"body.größe", "", spec.InBody, []spec.Step{name("größe")}},
		{"body.$type", "", spec.InBody, []spec.Step{name("$type")}},
		{"body.@id/x:y", "", spec.InBody, []spec.Step{name("@id/x:y")}},
		{"body.path", "", spec.InBody, []spec.Step{name("path")}},
	}
	for _, tt := range tests {
		got, err := spec.ParseFieldPath(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		want := spec.FieldPath{In: tt.in, Steps: tt.steps}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
		canonical := tt.canonical
		if canonical == "" {
			canonical = tt.text
		}
		if got.String() != canonical {
			t.Errorf("%s: canonical form is %s, want %s", tt.text, got, canonical)
		}
		again, err := spec.ParseFieldPath(canonical)
		if err != nil || !again.Equal(want) {
			t.Errorf("%s: reading %s again gives %v, %v", tt.text, canonical, again, err)
		}
	}
}

func TestParseFieldPathErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "0: the field path is empty; begin it with path., query., header., cookie. or body"},
		{"bdy.a", `0: "bdy" is not a part of a request; did you mean "body"?`},
		{"headers.X", `0: "headers" is not a part of a request; did you mean "header"?`},
		{"order.a", `0: "order" is not a part of a request; begin it with path., query., header., cookie. or body`},
		{"$.body", `0: "$" is not a part of a request; begin it with path., query., header., cookie. or body`},
		{".body", "0: a field path does not begin with '.'; begin it with path., query., header., cookie. or body"},
		{"path", "4: path alone is not a field; write path.name"},
		{"query[]", "5: query is not a list; write query.name"},
		{"header.*", "6: header is not a list; write header.name"},
		{"body.", "4: the path ends with a dot; write the name of a field after it"},
		{"body..a", "5: a name is missing between two dots; remove one of the dots"},
		{"body.[]", "4: there is a dot before the bracket; remove the dot"},
		{"body.a b", `6: ' ' is not allowed here; write ["name"] for a name with such characters`},
		{"body. a", `5: ' ' is not allowed here; write ["name"] for a name with such characters`},
		{"body]", `4: ']' is not allowed here; write ["name"] for a name with such characters`},
		{"body.a'", `6: '\'' is not allowed here; write ["name"] for a name with such characters`},
		{"body[", `4: the bracket is not closed; write [] or ["name"]`},
		{"body[a]", `5: 'a' is not allowed here; write ["name"] for a name, or [] for every element`},
		{"body[0]", "4: a single element cannot be selected; write [], which stands for every element"},
		{"body[*]", "4: a single element cannot be selected; write [], which stands for every element"},
		{`body["a`, `4: the quoted name is not closed; end it with "]`},
		{`body["a"`, `4: the bracket is not closed; end it with "]`},
		{`body["a"x]`, `4: the bracket is not closed; end it with "]`},
		{`body[""]`, "4: the name is empty; write the name of a field"},
		{`body["a\n"]`, `7: a backslash is allowed only before a quotation mark or a backslash; write \" or \\`},
	}
	for _, tt := range tests {
		_, err := spec.ParseFieldPath(tt.text)
		var problem *spec.FieldPathError
		if !errors.As(err, &problem) {
			t.Errorf("%s: got %v, want a *FieldPathError", tt.text, err)
			continue
		}
		if got := fmt.Sprintf("%d: %v", problem.Offset, err); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func FuzzFieldPath(f *testing.F) {
	for _, seed := range []string{"body", "body.items[].sku", `body["odd.name"]`, "query.a", "body.*", `body["\\\""]`, "header.X-Tenant[", "ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := spec.ParseFieldPath(text)
		var problem *spec.FieldPathError
		if errors.As(err, &problem) {
			if problem.Offset < 0 || problem.Offset > len([]rune(text)) || problem.Message == "" || problem.Remedy == "" {
				t.Errorf("%q: %#v", text, problem)
			}
			return
		}
		again, err := spec.ParseFieldPath(path.String())
		if err != nil {
			t.Fatalf("%q: the canonical form %q is refused: %v", text, path, err)
		}
		if diff := cmp.Diff(path, again); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	})
}
