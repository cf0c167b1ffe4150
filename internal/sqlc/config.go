package sqlc

import (
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// parseConfig parses the user's configuration, YAML or JSON. Its problems are returned
// as a diag.List.
func parseConfig(display string, data []byte) (*tree.Node, error) {
	root, problems := tree.Parse(display, data)
	return root, problems.Err()
}

// lookup returns the value at a path of keys, or nil.
func lookup(n *tree.Node, keys ...string) *tree.Node {
	for _, key := range keys {
		n = n.Get(key)
	}
	return n
}

// set sets the value of a key in a mapping, in the place of the old value if there is
// one.
func set(n *tree.Node, key string, value *tree.Node) {
	i := slices.IndexFunc(n.Members, func(m *tree.Member) bool { return m.Name == key })
	if i < 0 {
		n.Members = append(n.Members, &tree.Member{Name: key, Value: value})
		return
	}
	n.Members[i] = &tree.Member{Name: key, Pos: n.Members[i].Pos, Value: value}
}

// without returns a copy of a mapping without some keys.
func without(n *tree.Node, keys ...string) *tree.Node {
	out := n.Clone()
	out.Members = slices.DeleteFunc(out.Members, func(m *tree.Member) bool { return slices.Contains(keys, m.Name) })
	return out
}

func textList(list []string) *tree.Node {
	n := &tree.Node{Kind: tree.Sequence}
	for _, s := range list {
		n.Items = append(n.Items, tree.NewString(s))
	}
	return n
}

// words are unquoted words that sqlc reads as booleans, as YAML 1.1 does.
var words = map[string]bool{"y": true, "Y": true, "yes": true, "on": true, "n": false, "N": false, "no": false, "off": false}

// boolean returns the value that sqlc reads; ok is false if it is not a boolean.
func boolean(n *tree.Node) (value, ok bool) {
	switch {
	case n == nil:
		return false, false
	case n.Kind == tree.Bool:
		return n.Text == "true", true
	case n.Kind == tree.String && n.Plain():
		value, ok = words[n.Text]
	}
	return value, ok
}

func isTrue(n *tree.Node) bool {
	value, _ := boolean(n)
	return value
}

// isBlank reports whether the value is missing or empty.
func isBlank(n *tree.Node) bool { return n == nil || n.Kind == tree.Null || n.Text == "" }

// unquoted makes the encoder write these words under n without quotation marks, as
// they were. It returns n.
func unquoted(n *tree.Node) *tree.Node {
	if _, ok := boolean(n); ok {
		n.Kind = tree.Bool
	}
	for _, child := range n.Children() {
		unquoted(child)
	}
	return n
}

// orElse returns the position of a value, or of another one if it is missing.
func orElse(n, otherwise *tree.Node) diag.Position {
	if n == nil {
		return otherwise.Pos
	}
	return n.Pos
}
