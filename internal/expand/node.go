package expand

import (
	"slices"
	"strconv"

	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/tree"
)

func text(s string) *tree.Node { return tree.NewString(s) }

func number(i int) *tree.Node { return &tree.Node{Kind: tree.Int, Text: strconv.Itoa(i)} }

func boolean(b bool) *tree.Node { return &tree.Node{Kind: tree.Bool, Text: strconv.FormatBool(b)} }

func list(items ...*tree.Node) *tree.Node { return &tree.Node{Kind: tree.Sequence, Items: items} }

// member is a new entry of a mapping.
func member(name string, value *tree.Node) *tree.Member {
	return &tree.Member{Name: name, Value: value}
}

func mapping(members ...*tree.Member) *tree.Node {
	return &tree.Node{Kind: tree.Mapping, Members: members}
}

// reference is a reference to a component of the document.
func reference(collection, name string) *tree.Node {
	return mapping(member("$ref", text("#"+spec.Pointer{"components", collection, name}.String())))
}

// set sets the value of an entry: in its place if it exists, else before the first
// existing entry of those named, else at the end.
func set(n *tree.Node, name string, value *tree.Node, before ...string) {
	if m := n.Member(name); m != nil {
		m.Value = value
		return
	}
	at := slices.IndexFunc(n.Members, func(m *tree.Member) bool { return slices.Contains(before, m.Name) })
	if at < 0 {
		at = len(n.Members)
	}
	n.Members = slices.Insert(n.Members, at, member(name, value))
}

// drop removes an entry.
func drop(n *tree.Node, name string) {
	n.Members = slices.DeleteFunc(n.Members, func(m *tree.Member) bool { return m.Name == name })
}

// ensure returns the mapping under a name, which it creates if necessary.
func ensure(n *tree.Node, name string, before ...string) *tree.Node {
	if under := n.Get(name); under != nil && under.Kind == tree.Mapping {
		return under
	}
	set(n, name, mapping(), before...)
	return n.Get(name)
}

// textOf returns the string under a name, or "".
func textOf(n *tree.Node, name string) string {
	if under := n.Get(name); under != nil && under.Kind == tree.String {
		return under.Text
	}
	return ""
}

// isTrue reports whether the value under a name is true.
func isTrue(n *tree.Node, name string) bool {
	under := n.Get(name)
	return under != nil && under.Kind == tree.Bool && under.Text == "true"
}
