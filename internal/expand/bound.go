package expand

import (
	"slices"

	"github.com/idemgen/idemgen/internal/tree"
)

// transfer applies the difference between before and after to n. Before equals n,
// except for parts that kin-openapi leaves out when it writes a document.
func transfer(n, before, after *tree.Node) {
	switch {
	case before.Equal(after):
	case n.Kind == tree.Mapping && before.Kind == tree.Mapping && after.Kind == tree.Mapping && akin(before, after):
		transferMembers(n, before, after)
	case before.Kind == tree.Sequence && after.Kind == tree.Sequence && len(n.Items) == len(before.Items):
		transferItems(n, before, after)
	default:
		*n = *conventional(after)
	}
}

// akin reports whether two mappings have an entry with the same name.
func akin(a, b *tree.Node) bool {
	return slices.ContainsFunc(a.Members, func(m *tree.Member) bool { return b.Member(m.Name) != nil })
}

func transferMembers(n, before, after *tree.Node) {
	for _, m := range before.Members {
		if after.Member(m.Name) == nil {
			drop(n, m.Name)
		}
	}
	for _, m := range after.Members {
		was, is := before.Get(m.Name), n.Get(m.Name)
		switch {
		case was == nil || is == nil && !was.Equal(m.Value):
			set(n, m.Name, conventional(m.Value), following(m.Name)...)
		case is != nil:
			transfer(is, was, m.Value)
		}
	}
}

// following are the entries of an operation before which a new one is inserted.
func following(name string) []string {
	if name == "parameters" {
		return []string{"requestBody", "responses"}
	}
	return nil
}

// transferItems keeps items that are in both lists, and changes an item that is
// missing in the new list to the new item at its place. All other items are new.
func transferItems(n, before, after *tree.Node) {
	have, next := before.Items, 0
	var items []*tree.Node
	for _, want := range after.Items {
		stays := slices.IndexFunc(have[next:], want.Equal)
		switch {
		case stays >= 0:
			next += stays
			items = append(items, n.Items[next])
			next++
		case next < len(have) && !slices.ContainsFunc(after.Items, have[next].Equal):
			transfer(n.Items[next], have[next], want)
			items = append(items, n.Items[next])
			next++
		default:
			items = append(items, conventional(want))
		}
	}
	n.Items = items
}

// order is the conventional order of entries that kin-openapi sorts by name.
var order = []string{
	"$ref", "operationId", "x-idempotent", "scope", "name", "in", "tags", "summary", "title", "type", "format", "description",
	"required", "deprecated", "parameters", "requestBody", "schema", "headers", "content", "responses",
}

// conventional returns a copy with entries in the conventional order.
func conventional(n *tree.Node) *tree.Node {
	c := n.Bare()
	sortMembers(c)
	return c
}

func sortMembers(n *tree.Node) {
	slices.SortStableFunc(n.Members, func(a, b *tree.Member) int { return rank(a.Name) - rank(b.Name) })
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
