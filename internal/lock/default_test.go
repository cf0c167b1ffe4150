package lock

import (
	"testing"

	"github.com/idemgen/idemgen/internal/model"
)

func TestDefaultOf(t *testing.T) {
	object := func(name string, zero bool, members ...*model.Node) *model.Node {
		return &model.Node{Name: name, Kind: model.Object, Zero: zero, Members: members}
	}
	leaf := &model.Node{Name: "a", Kind: model.Integer}
	required := object("inner", true, leaf)
	withDefault := object("inner", true, leaf)
	withDefault.Default = new(string)
	for _, test := range []struct {
		node       *model.Node
		text, want string
	}{
		{leaf, `1`, `1`},
		{&model.Node{Kind: model.String}, `"<"`, `"<"`},
		{object("", false, required), `{}`, `{"inner":{}}`},
		{object("", false, required), `{"inner":null,"b":1.50,"c":"<"}`, `{"b":1.50,"c":"<","inner":{}}`},
		{object("", false, required), `{"inner":{"a":1}}`, `{"inner":{"a":1}}`},
		{object("", false, object("inner", false, leaf)), `{}`, `{}`},
		{object("", false, withDefault), `{}`, `{}`},
		{object("", false, object("outer", true, required)), `{}`, `{"outer":{"inner":{}}}`},
		{&model.Node{Kind: model.List, Elem: object("", true, required)}, `[{},{"inner":{}}]`, `[{"inner":{}},{"inner":{}}]`},
		{&model.Node{Kind: model.Map, Elem: object("", true, required)}, `{"k":{}}`, `{"k":{"inner":{}}}`},
		{&model.Node{Kind: model.JSON}, `{"k":[{}]}`, `{"k":[{}]}`},
	} {
		test.node.Default = &test.text
		if got := defaultOf(test.node); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
	if got := defaultOf(required); got != "" {
		t.Errorf("no default: got %s", got)
	}
}
