package lock

import (
	"time"

	"github.com/idemgen/idemgen/internal/tree"
)

// list reads each item of the list under a key of n. The lock prints nothing for an
// empty list of files.
func list[T any](r reader, n *tree.Node, key string, read func(reader, *tree.Node) T) []T {
	value := n.Get(key)
	if value == nil || value.Kind == tree.Null {
		return nil
	}
	items, _ := r.Sequence(value, key)
	var all []T
	for _, item := range items {
		all = append(all, read(r, item))
	}
	return all
}

// distinct is list for items that each have a name of their own.
func distinct[T any](r reader, n *tree.Node, key string, read func(reader, *tree.Node) T, name func(T) string) []T {
	seen := make(map[string]bool)
	return list(r, n, key, func(r reader, item *tree.Node) T {
		value := read(r, item)
		if name(value) != "" && seen[name(value)] {
			r.Errorf(item.Pos, "", "%q is listed twice under %s", name(value), key)
		}
		seen[name(value)] = true
		return value
	})
}

// text reads the string under a key; unlike [tree.Decoder.Text], it may be blank, as a
// pattern can be.
func (r reader) text(n *tree.Node, key string) string {
	if value := n.Get(key); value != nil {
		return r.string(value, key)
	}
	return ""
}

func (r reader) texts(n *tree.Node, key string) []string {
	return list(r, n, key, func(r reader, item *tree.Node) string { return r.string(item, "an item of "+key) })
}

func (r reader) string(n *tree.Node, what string) string {
	if n.Kind == tree.String {
		return n.Text
	}
	text, _ := r.Text(n, what)
	return text
}

// word reads a key that has one possible value, or is left out.
func (r reader) word(n *tree.Node, key, word string) string {
	text := r.text(n, key)
	if value := n.Get(key); value != nil && value.Kind == tree.String && text != word {
		r.Errorf(value.Pos, "", "%s must be %s", key, word)
	}
	return text
}

func (r reader) flag(n *tree.Node, key string) (flag bool) {
	if value := n.Get(key); value != nil {
		flag, _ = r.Bool(value, key)
	}
	return flag
}

func (r reader) integer(n *tree.Node, key string) (i int64) {
	if value := n.Get(key); value != nil {
		i, _ = r.Integer(value, key)
	}
	return i
}

func (r reader) duration(n *tree.Node, key string) (d time.Duration) {
	if value := n.Get(key); value != nil {
		d, _ = r.Duration(value, key)
	}
	return d
}
