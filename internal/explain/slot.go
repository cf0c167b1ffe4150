package explain

import "github.com/idemgen/idemgen/internal/model"

// state says what decoding has left of a value.
type state int

const (
	missing state = iota
	isNull        // a null that is told apart from a missing value
	present
)

// slot is one declared value, as decoding fills it in. It can be filled in more
// than once: JSON may repeat a member.
type slot struct {
	node  *model.Node
	state state

	leaf    leaf             // of a leaf
	members []*slot          // of an object: one for each member of the node
	elems   []*slot          // of a list; those from length on are left from an earlier one
	length  int              // of a list
	entries map[string]*slot // of a map
}

func newSlots(nodes []*model.Node) []*slot {
	slots := make([]*slot, len(nodes))
	for i, node := range nodes {
		slots[i] = &slot{node: node}
	}
	return slots
}

// open makes s an object that is there, and keeps the members it may have.
func (s *slot) open() {
	if s.members == nil {
		s.members = newSlots(s.node.Members)
	}
	s.state = present
}

// clear makes s missing.
func (s *slot) clear() { *s = slot{node: s.node} }

// set makes s a leaf that is there.
func (s *slot) set(v leaf) { s.state, s.leaf = present, v }

// isNilable reports whether a value of that kind can be missing even where its Go
// type is no pointer.
func isNilable(k model.Kind) bool {
	return k == model.List || k == model.Map || k == model.Bytes || k == model.JSON
}

// hasZero reports whether a missing value is the zero value of its type.
func hasZero(n *model.Node) bool { return n.Zero && !isNilable(n.Kind) }
