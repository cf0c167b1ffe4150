package expand

import (
	"slices"

	"github.com/idemgen/idemgen/internal/rewrite"
	"github.com/idemgen/idemgen/internal/spec"
)

// transfer makes tree differ from what it was as after differs from before. Before
// is tree, but for what kin-openapi leaves out when it writes a document.
func transfer(tree, before, after *spec.Node) {
	switch {
	case before.Equal(after):
	case tree.Kind == spec.Mapping && before.Kind == spec.Mapping && after.Kind == spec.Mapping && akin(before, after):
		transferMembers(tree, before, after)
	case before.Kind == spec.Sequence && after.Kind == spec.Sequence && len(tree.Items) == len(before.Items):
		transferItems(tree, before, after)
	default:
		*tree = *conventional(after)
	}
}

// akin reports whether two mappings have the name of some entry in common.
func akin(a, b *spec.Node) bool {
	return slices.ContainsFunc(a.Members, func(m *spec.Member) bool { return b.Member(m.Name) != nil })
}

func transferMembers(tree, before, after *spec.Node) {
	for _, m := range before.Members {
		if after.Member(m.Name) == nil {
			drop(tree, m.Name)
		}
	}
	for _, m := range after.Members {
		was, is := before.Get(m.Name), tree.Get(m.Name)
		switch {
		case was == nil || is == nil && !was.Equal(m.Value):
			set(tree, m.Name, conventional(m.Value), following(m.Name)...)
		case is != nil:
			transfer(is, was, m.Value)
		}
	}
}

// following are the entries of an operation before which a new one is put.
func following(name string) []string {
	if name == "parameters" {
		return []string{"requestBody", "responses"}
	}
	return nil
}

func transferItems(tree, before, after *spec.Node) {
	var items []*spec.Node
	for _, s := range rewrite.Align(before.Items, after.Items) {
		switch {
		case s.Want < 0:
		case s.Have < 0:
			items = append(items, conventional(after.Items[s.Want]))
		default:
			item := tree.Items[s.Have]
			transfer(item, before.Items[s.Have], after.Items[s.Want])
			items = append(items, item)
		}
	}
	tree.Items = items
}

// order is how people write the entries that kin-openapi sorts by name.
var order = []string{
	"$ref", "operationId", "x-idempotent", "scope", "name", "in", "tags", "summary", "title", "type", "format", "description",
	"required", "deprecated", "parameters", "requestBody", "schema", "headers", "content", "responses",
}

// conventional is a copy with entries in the usual order.
func conventional(n *spec.Node) *spec.Node {
	c := n.Clone()
	sortMembers(c)
	return c
}

func sortMembers(n *spec.Node) {
	slices.SortStableFunc(n.Members, func(a, b *spec.Member) int { return rank(a.Name) - rank(b.Name) })
	for _, m := range n.Members {
		sortMembers(m.Value)
	}
	for _, item := range n.Items {
		sortMembers(item)
	}
}

func rank(name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}
