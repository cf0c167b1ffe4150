package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Kind says what a [Node] is. The kinds are JSON's, with integers told apart
// from other numbers.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Sequence
	Mapping
)

// String returns the kind with its article, for messages.
func (k Kind) String() string {
	switch k {
	case Null:
		return "nothing"
	case Bool:
		return "a boolean"
	case Int:
		return "an integer"
	case Float:
		return "a number"
	case String:
		return "a string"
	case Sequence:
		return "a list"
	case Mapping:
		return "a mapping"
	}
	return "unknown"
}

// Node is a value of the document with its position. Aliases and merge keys of
// YAML are resolved. Nodes of a loaded [Document] are read-only.
type Node struct {
	Kind Kind
	// Text is the value of a scalar: a string's content, "true" or "false", a
	// number as JSON writes it and without loss, or "null".
	Text string
	// Pos is where the value starts.
	Pos diag.Position
	// Members are the entries of a mapping in the document's order.
	Members []*Member
	// Items are the elements of a sequence.
	Items []*Node

	quote byte // the quotation mark around the string in the source, or 0
}

// Overflows reports whether a string is a number without quotation marks that is too
// large for YAML to be one.
func (n *Node) Overflows() bool {
	return n.Kind == String && n.quote == 0 && jsonNumber.MatchString(n.Text) && !inRange(n.Text)
}

// Member is an entry of a mapping.
type Member struct {
	Name  string
	Pos   diag.Position // where the name starts
	Value *Node
}

// Member returns the entry of a mapping with that name, or nil.
func (n *Node) Member(name string) *Member {
	if n == nil {
		return nil
	}
	for _, m := range n.Members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Get returns the value of the entry with that name, or nil.
func (n *Node) Get(name string) *Node {
	if m := n.Member(name); m != nil {
		return m.Value
	}
	return nil
}

// names returns the names of a mapping's entries.
func names(n *Node) []string {
	var all []string
	for _, m := range members(n) {
		all = append(all, m.Name)
	}
	return all
}

// members returns the entries of n, which may be nil.
func members(n *Node) []*Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// children returns the values directly under n.
func (n *Node) children() []*Node {
	children := slices.Clone(n.Items)
	for _, m := range n.Members {
		children = append(children, m.Value)
	}
	return children
}

// size returns the number of values in the tree.
func (n *Node) size() int {
	size := 1
	for _, child := range n.children() {
		size += child.size()
	}
	return size
}

// depth returns how deep the tree is nested.
func (n *Node) depth() int {
	depth := 0
	for _, child := range n.children() {
		depth = max(depth, 1+child.depth())
	}
	return depth
}

// ref returns the text of $ref in a mapping, or "".
func (n *Node) ref() string {
	if v := n.Get("$ref"); v != nil && v.Kind == String {
		return v.Text
	}
	return ""
}

// step returns the child that a reference token of a JSON pointer names, and the
// position to show for it: that of the key, or of the list item.
func (n *Node) step(token string) (*Node, diag.Position, bool) {
	switch n.Kind {
	case Mapping:
		if m := n.Member(token); m != nil {
			return m.Value, m.Pos, true
		}
	case Sequence:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i], n.Items[i].Pos, true
		}
	default:
	}
	return nil, diag.Position{}, false
}

// runePos returns the position of the i-th code point of a string on one line.
func (n *Node) runePos(i int) diag.Position {
	pos := n.Pos
	text := []rune(n.Text)
	if strings.ContainsAny(n.Text, "\r\n") || i > len(text) {
		return pos
	}
	if n.quote != 0 {
		pos.Column++
	}
	for _, r := range text[:i] {
		pos.Column++
		if r == rune(n.quote) || (r == '\\' && n.quote == '"') {
			pos.Column++ // it is escaped in the source
		}
	}
	return pos
}

// clone returns a deep copy.
func (n *Node) clone() *Node {
	c := *n
	c.Members, c.Items = nil, nil
	for _, m := range n.Members {
		c.Members = append(c.Members, &Member{Name: m.Name, Pos: m.Pos, Value: m.Value.clone()})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, item.clone())
	}
	return &c
}
