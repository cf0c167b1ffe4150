package explain

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// domain is what every encoding begins with.
const domain = "idemgen/fingerprint/1"

// Why a field has its value.
const (
	Given   = "given"   // by the request
	Default = "default" // of the schema, since the request does not give any
	Absent  = "absent"  // neither given nor defaulted
	Null    = "null"    // given as null, which is told apart from absent
	Zero    = "zero"    // not given, and decoded to the zero value of its type
	Ignored = "ignored" // no part of the meaning
)

// encoding is the canonical form in the making: its bytes, and what they mean.
type encoding struct {
	out    []byte
	fields []Field
}

func newEncoding(name string, version int) *encoding {
	e := &encoding{}
	e.text(domain)
	e.text(name)
	e.count(version)
	return e
}

func (e *encoding) text(s string) { e.out = appendText(e.out, s) }
func (e *encoding) count(n int)   { e.out = appendCount(e.out, uint64(n)) }
func (e *encoding) tag(b byte)    { e.out = append(e.out, b) }

func (e *encoding) row(n *model.Node, path, shown, why string) {
	e.fields = append(e.fields, Field{Path: path, Type: typeOf(n), Value: shown, Why: why})
}

// member adds a member of an object that is there, or a root. path is its own,
// with the indices of the elements around it.
func (e *encoding) member(s *slot, path string) {
	if s.node.Kind == model.Object && s.state != isNull {
		e.object(s, path)
		return
	}
	e.tag('F')
	e.text(s.node.Path)
	e.value(s, path)
}

// object adds the members of an object one after another. Those of a missing one
// are absent, unless it has a default or its type a zero value.
func (e *encoding) object(s *slot, path string) {
	switch {
	case s.state == present || s.node.Zero:
	case s.node.Default != nil:
		s = fromDefault(s.node)
	default:
		for _, n := range s.node.Leaves() {
			e.tag('F')
			e.text(n.Path)
			e.tag('-')
			e.row(n, inside(path, s.node, n), "", Absent)
		}
		return
	}
	s.open()
	for _, member := range s.members {
		e.member(member, inside(path, s.node, member.node))
	}
}

// value adds a value: a leaf, a list, a map, or an element that is an object.
func (e *encoding) value(s *slot, path string) {
	n := s.node
	switch {
	case s.state == isNull:
		e.tag('0')
		e.row(n, path, "null", Null)
	case n.Kind == model.Object && (s.state == present || n.Zero):
		e.object(s, path)
	case s.state == present:
		e.present(s, path, Given)
	case hasZero(n):
		e.leaf(n, zeroLeaf(n.Kind), path, Zero)
	case n.Default != nil:
		e.present(fromDefault(n), path, Default)
	default:
		e.tag('-')
		e.row(n, path, "", Absent)
	}
}

func (e *encoding) present(s *slot, path, why string) {
	switch s.node.Kind {
	case model.List:
		e.list(s, path, why)
	case model.Map:
		e.mapping(s, path, why)
	default:
		e.leaf(s.node, s.leaf, path, why)
	}
}

func (e *encoding) leaf(n *model.Node, l leaf, path, why string) {
	if s, ok := l.(stringLeaf); ok {
		l = stringLeaf(normalize(n, string(s)))
	}
	e.out = append(e.out, l.encode()...)
	e.row(n, path, l.show(), why)
}

func (e *encoding) list(s *slot, path, why string) {
	e.row(s.node, path, counted(s.length, "element"), why)
	elems := s.elems[:s.length]
	if s.node.Unordered {
		e.multiset(elems, path)
		return
	}
	e.tag('[')
	e.count(len(elems))
	for i, elem := range elems {
		e.value(elem, at(path, i))
	}
}

// multiset adds the digests of elements in the order of the digests.
func (e *encoding) multiset(elems []*slot, path string) {
	type element struct {
		digest [sha256.Size]byte
		slot   *slot
	}
	digested := make([]element, len(elems))
	for i, elem := range elems {
		alone := &encoding{}
		alone.value(elem, "")
		digested[i] = element{sha256.Sum256(alone.out), elem}
	}
	slices.SortStableFunc(digested, func(a, b element) int { return bytes.Compare(a.digest[:], b.digest[:]) })
	e.tag('m')
	e.count(len(digested))
	for i, elem := range digested {
		e.out = append(e.out, elem.digest[:]...)
		shown := &encoding{}
		shown.value(elem.slot, at(path, i))
		e.fields = append(e.fields, shown.fields...)
	}
}

func (e *encoding) mapping(s *slot, path, why string) {
	e.row(s.node, path, counted(len(s.entries), "entry"), why)
	e.tag('{')
	e.count(len(s.entries))
	for _, key := range slices.Sorted(maps.Keys(s.entries)) {
		e.text(key)
		e.value(s.entries[key], entryPath(path, key))
	}
}

func counted(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "entry":
		return fmt.Sprintf("%d entries", n)
	default:
		return fmt.Sprintf("%d %ss", n, what)
	}
}

// fromDefault returns the slot that holds the default of a node. It was checked
// when the contract was made.
func fromDefault(n *model.Node) *slot {
	d := decoder{source: source{"", *n.Default}, plain: true}
	s := &slot{node: n}
	if v, err := parse(d.source); err == nil {
		d.into(s, v, n.Full)
	}
	return s
}

// typeOf describes the type of a node as a schema does.
func typeOf(n *model.Node) string {
	switch n.Kind {
	case model.Bytes:
		return "string byte"
	case model.Date, model.Instant, model.UUID:
		return "string " + string(n.Kind)
	case model.List:
		if n.Unordered {
			return "list, any order"
		}
	}
	described := strings.TrimSpace(string(n.Kind) + " " + n.Format)
	if len(n.Normalize) > 0 {
		described += ", " + strings.Join(n.Normalize, ", ")
	}
	return described
}
