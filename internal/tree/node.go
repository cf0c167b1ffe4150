package tree

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
// YAML are resolved.
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

	quote    byte // the quotation mark around the string in the source, or 0
	flow     bool // written in braces or brackets, on one line
	comments comments
}

// comments are those of YAML that stand with a value or a name: in the lines above
// it, behind it, and in the lines below it. Each has its number signs.
type comments struct{ head, line, foot string }

// NewString returns a string that has no position.
func NewString(text string) *Node { return &Node{Kind: String, Text: text} }

// Plain reports whether the value was written without quotation marks.
func (n *Node) Plain() bool { return n.quote == 0 }

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

	comments comments
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

// Names returns the names of a mapping's entries.
func (n *Node) Names() []string {
	if n == nil {
		return nil
	}
	var all []string
	for _, m := range n.Members {
		all = append(all, m.Name)
	}
	return all
}

// Child returns what a reference token of a JSON pointer names under n, or nil.
func (n *Node) Child(token string) *Node {
	if n == nil {
		return nil
	}
	child, _, _ := n.Step(token)
	return child
}

// Children returns the values directly under n, in the order of the source.
func (n *Node) Children() []*Node {
	children := slices.Clone(n.Items)
	for _, m := range n.Members {
		children = append(children, m.Value)
	}
	return children
}

// Size returns the number of values in the tree.
func (n *Node) Size() int {
	size := 1
	for _, child := range n.Children() {
		size += child.Size()
	}
	return size
}

// Depth returns how deep the tree is nested.
func (n *Node) Depth() int {
	depth := 0
	for _, child := range n.Children() {
		depth = max(depth, 1+child.Depth())
	}
	return depth
}

// Step returns the child that a reference token of a JSON pointer names, and the
// position to show for it: that of the key, or of the list item.
func (n *Node) Step(token string) (*Node, diag.Position, bool) {
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

// RunePos returns the position of the i-th code point of a string on one line.
func (n *Node) RunePos(i int) diag.Position {
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

// Clone returns a deep copy.
func (n *Node) Clone() *Node {
	c := *n
	c.Members, c.Items = nil, nil
	for _, m := range n.Members {
		member := *m
		member.Value = m.Value.Clone()
		c.Members = append(c.Members, &member)
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, item.Clone())
	}
	return &c
}

// Bare returns a deep copy that does not know what it was read from: it has no
// positions, no comments and no style.
func (n *Node) Bare() *Node {
	c := &Node{Kind: n.Kind, Text: n.Text}
	for _, m := range n.Members {
		c.Members = append(c.Members, &Member{Name: m.Name, Value: m.Value.Bare()})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, item.Bare())
	}
	return c
}

// Equal reports whether two values are the same; the order of a mapping's
// entries makes no difference.
func (n *Node) Equal(other *Node) bool {
	if n == nil || other == nil {
		return n == other
	}
	if n.Kind != other.Kind || n.Text != other.Text || len(n.Items) != len(other.Items) || len(n.Members) != len(other.Members) {
		return false
	}
	for i, item := range n.Items {
		if !item.Equal(other.Items[i]) {
			return false
		}
	}
	for _, m := range n.Members {
		if value := other.Get(m.Name); value == nil || !m.Value.Equal(value) {
			return false
		}
	}
	return true
}
