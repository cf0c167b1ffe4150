package explain

import (
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/model"
)

// A null that is told from absent has an encoding of its own, and what was decoded
// before is forgotten.
func TestNullIsToldFromAbsent(t *testing.T) {
	inner := &model.Node{Name: "a", Path: "body.part.a", Full: "body.part.a", Kind: model.String}
	element := &model.Node{Full: "body.list[]", Kind: model.Object, Nullable: true, Names: []string{"x"}, Members: []*model.Node{
		{Name: "x", Path: "x", Full: "body.list[].x", Kind: model.String},
	}}
	op := &model.Operation{Name: "op", Fingerprint: model.Fingerprint{Version: 1, Roots: []*model.Node{{
		Path: "body", Full: "body", Kind: model.Object, Zero: true, Names: []string{"list", "part", "text"},
		Members: []*model.Node{
			{Name: "list", Path: "body.list", Full: "body.list", Kind: model.List, Nullable: true, Elem: element},
			{Name: "part", Path: "body.part", Full: "body.part", Kind: model.Object, Nullable: true, Names: []string{"a"}, Members: []*model.Node{inner}},
			{Name: "text", Path: "body.text", Full: "body.text", Kind: model.String, Nullable: true},
		},
	}}}}
	for body, want := range map[string]string{
		`{}`: "F\tbody.list-F\vbody.part.a-F\tbody.text-",
		`{"list": null, "part": null, "text": null}`:                       "F\tbody.list0F\tbody.part0F\tbody.text0",
		`{"list": [null, {}], "part": {}, "text": ""}`:                     "F\tbody.list[\x020F\x01x-F\vbody.part.a-F\tbody.texts\x00",
		`{"part": {"a": "1"}, "part": {}, "text": null, "text": "2"}`:      "F\tbody.list-F\vbody.part.a-F\tbody.texts\x012",
		`{"list": [{"x": "1"}], "list": [{}], "text": "1", "text": null}`:  "F\tbody.list[\x01F\x01x-F\vbody.part.a-F\tbody.text0",
		`{"list": [{"x": "1"}, null], "part": null, "part": {"a": "\t1"}}`: "F\tbody.list[\x02F\x01xs\x0110F\vbody.part.as\x02\t1F\tbody.text-",
	} {
		request, err := Read("a.json", []byte(`{"body": `+body+`}`))
		if err != nil {
			t.Fatal(err)
		}
		e, err := Explain(op, request)
		if err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(string(e.Encoding), "\x02op\x01")
		if got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
