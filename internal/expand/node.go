package expand

import (
	"slices"
	"strconv"

	"github.com/idemgen/idemgen/internal/spec"
)

func text(s string) *spec.Node { return &spec.Node{Kind: spec.String, Text: s} }

func number(i int) *spec.Node { return &spec.Node{Kind: spec.Int, Text: strconv.Itoa(i)} }

func boolean(b bool) *spec.Node { return &spec.Node{Kind: spec.Bool, Text: strconv.FormatBool(b)} }

func list(items ...*spec.Node) *spec.Node { return &spec.Node{Kind: spec.Sequence, Items: items} }

// member is an entry of a mapping to come.
func member(name string, value *spec.Node) *spec.Member {
	return &spec.Member{Name: name, Value: value}
}

func mapping(members ...*spec.Member) *spec.Node {
	return &spec.Node{Kind: spec.Mapping, Members: members}
}

// reference is a reference to a component of the document.
func reference(collection, name string) *spec.Node {
	return mapping(member("$ref", text("#"+spec.Pointer{"components", collection, name}.String())))
}

// set gives an entry a value, in its place if it is there, else before the first
// of those named that is there, else at the end.
func set(n *spec.Node, name string, value *spec.Node, before ...string) {
	if m := n.Member(name); m != nil {
		m.Value = value
		return
	}
	at := slices.IndexFunc(n.Members, func(m *spec.Member) bool { return slices.Contains(before, m.Name) })
	if at < 0 {
		at = len(n.Members)
	}
	n.Members = slices.Insert(n.Members, at, member(name, value))
}

// drop removes an entry.
func drop(n *spec.Node, name string) {
	n.Members = slices.DeleteFunc(n.Members, func(m *spec.Member) bool { return m.Name == name })
}

// ensure returns the mapping under a name, which it makes if there is none.
func ensure(n *spec.Node, name string, before ...string) *spec.Node {
	if under := n.Get(name); under != nil && under.Kind == spec.Mapping {
		return under
	}
	set(n, name, mapping(), before...)
	return n.Get(name)
}

// textOf is the string under a name, or "".
func textOf(n *spec.Node, name string) string {
	if under := n.Get(name); under != nil && under.Kind == spec.String {
		return under.Text
	}
	return ""
}

// isTrue reports whether the value under a name is true.
func isTrue(n *spec.Node, name string) bool {
	under := n.Get(name)
	return under != nil && under.Kind == spec.Bool && under.Text == "true"
}
