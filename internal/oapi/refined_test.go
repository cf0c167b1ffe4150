package oapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
)

// What a field says beside its path, and defaults of more than one value.
func refinedShapes() []shape {
	text := func(name string) *model.Node { return node(name, model.String) }
	required := func(n *model.Node) *model.Node {
		n.Zero = true
		return n
	}
	return []shape{
		{"body", unordered(withDefault(`["b", "a"]`, node("list", model.List, normalized(text(""), model.Trim, model.Lower)))), `
h.Field("body.list")
if v := body.List; v != nil {
	h.Multiset(len(*v))
	for _, v := range *v {
		h.Element()
		h.Normalized(v, fingerprint.Trim|fingerprint.Lower)
	}
	h.EndMultiset()
} else {
	h.Multiset(2)
	h.Element()
	h.Normalized("b", fingerprint.Trim|fingerprint.Lower)
	h.Element()
	h.Normalized("a", fingerprint.Trim|fingerprint.Lower)
	h.EndMultiset()
}`},
		{"body", unordered(node("lists", model.List, unordered(node("", model.List, node("", model.Integer))))), `
h.Field("body.lists")
if v := body.Lists; v != nil {
	h.Multiset(len(*v))
	for _, v := range *v {
		h.Element()
		if v := v; v != nil {
			h.Multiset(len(v))
			for _, v := range v {
				h.Element()
				h.Int(int64(v))
			}
			h.EndMultiset()
		} else {
			h.Absent()
		}
	}
	h.EndMultiset()
} else {
	h.Absent()
}`},
		{"body", unordered(node("nullobjects", model.List, node("", model.Object, text("a")))), `
h.Field("body.nullobjects")
if v := body.Nullobjects; v != nil {
	h.Multiset(len(*v))
	for _, v := range *v {
		h.Element()
		if v := v; v != nil {
			h.Field("a")
			if v := v.A; v != nil {
				h.String(*v)
			} else {
				h.Absent()
			}
		} else {
			h.Absent()
		}
	}
	h.EndMultiset()
} else {
	h.Absent()
}`},
		{"body", normalized(withDefault(`"1.50"`, text("string")), model.NFC, model.Decimal), `
h.Field("body.string")
if v := body.String; v != nil {
	h.Normalized(*v, fingerprint.NFC|fingerprint.Decimal)
} else {
	h.Normalized("1.50", fingerprint.NFC|fingerprint.Decimal)
}`},
		{"body", withDefault(`{"deep":{"z":["q"]}}`, node("object", model.Object, withDefault(`"x"`, text("a")), node("deep", model.Object, node("z", model.List, text(""))))), `
if v := body.Object; v != nil {
	h.Field("body.object.a")
	if v := v.A; v != nil {
		h.String(*v)
	} else {
		h.String("x")
	}
	if v := v.Deep; v != nil {
		h.Field("body.object.deep.z")
		if v := v.Z; v != nil {
			h.List(len(*v))
			for _, v := range *v {
				h.String(v)
			}
		} else {
			h.Absent()
		}
	} else {
		h.Skip("body.object.deep.z")
	}
} else {
	h.Field("body.object.a")
	h.String("x")
	h.Field("body.object.deep.z")
	h.List(1)
	h.String("q")
}`},
		{"body", withDefault(`{"a":null}`, node("object", model.Object, text("a"), node("deep", model.Object, node("z", model.List, text(""))))), `
if v := body.Object; v != nil {
	h.Field("body.object.a")
	if v := v.A; v != nil {
		h.String(*v)
	} else {
		h.Absent()
	}
	if v := v.Deep; v != nil {
		h.Field("body.object.deep.z")
		if v := v.Z; v != nil {
			h.List(len(*v))
			for _, v := range *v {
				h.String(v)
			}
		} else {
			h.Absent()
		}
	} else {
		h.Skip("body.object.deep.z")
	}
} else {
	h.Field("body.object.a")
	h.Absent()
	h.Skip("body.object.deep.z")
}`},
		{"body", withDefault(`{"k":{"r":"q"}}`, node("mapobjects", model.Map, node("", model.Object, withDefault(`"d"`, text("o")), required(text("r"))))), `
h.Field("body.mapobjects")
if v := body.Mapobjects; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		h.Field("o")
		if v := v.O; v != nil {
			h.String(*v)
		} else {
			h.String("d")
		}
		h.Field("r")
		h.String(v.R)
	}
} else {
	h.Map(1)
	h.Key("k")
	h.Field("o")
	h.String("d")
	h.Field("r")
	h.String("q")
}`},
		{"body", withDefault(`[null, "<"]`, node("raws", model.List, nullableNode(node("", model.JSON)))), `
h.Field("body.raws")
if v := body.Raws; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.JSON(v)
	}
} else {
	h.List(2)
	h.Null()
	h.JSON([]byte("\"\\u003c\""))
}`},
	}
}

func TestResolveRefinedShapes(t *testing.T) {
	resolve := shapesResolver(t)
	for _, test := range refinedShapes() {
		t.Run(test.node.Name, func(t *testing.T) {
			got, r := resolve(test.in, test.node)
			if err := r.out.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n")+"\n", got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolveRefusesIncompleteDefaults(t *testing.T) {
	resolve := shapesResolver(t)
	r := node("r", model.String)
	r.Zero = true
	for name, test := range map[string]struct {
		node *model.Node
		want string
	}{
		"member": {
			withDefault(`{"k":{}}`, node("mapobjects", model.Map, node("", model.Object, r))),
			`body.mapobjects has the default {"k":{}}, which idemgen cannot apply: "r" is missing in it; mend the default, or list body.mapobjects under ignore`,
		},
		"element": {
			withDefault(`[null]`, node("list", model.List, r)),
			`body.list has the default [null], which idemgen cannot apply: it holds null; mend the default, or list body.list under ignore`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, r := resolve("body", test.node)
			if diff := cmp.Diff("api.yaml:9:7: POST /shapes/{id}: "+test.want, r.out.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
