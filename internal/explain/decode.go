package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// decoder fills in slots from JSON. It does what Go's encoding/json does for the
// types that oapi-codegen generates, since that is what the business function
// receives: each value in the order of the text into what is there already.
type decoder struct {
	source
	list diag.List
	// plain is for a default of the document, which is taken as it is written.
	plain bool
}

// fail reports a value that a service would refuse.
func (d *decoder) fail(v *value, path, remedy, format string, args ...any) {
	d.list.Errorf(d.position(v.at), remedy, "%s %s", path, fmt.Sprintf(format, args...))
}

// into decodes v into s.
func (d *decoder) into(s *slot, v *value, path string) {
	switch {
	case v.kind == null:
		d.null(s, v, path)
		return
	case s.node.Nullable:
		s.clear()
	}
	switch s.node.Kind {
	case model.Object:
		d.object(s, v, path)
	case model.List:
		d.array(s, v, path)
	case model.Map:
		d.mapping(s, v, path)
	default:
		if l, ok := d.leaf(s, v, path); ok {
			s.set(l)
		}
	}
}

// null makes a value missing that can be, and leaves any other as it is.
func (d *decoder) null(s *slot, v *value, path string) {
	n := s.node
	switch {
	case n.Nullable:
		s.clear()
		s.state = isNull
	case !hasZero(n):
		s.clear()
	case n.Kind == model.Date, isEmail(n):
		d.fail(v, path, "", "must be %s, not null", wanted(n))
	}
}

func (d *decoder) object(s *slot, v *value, path string) {
	if v.kind != object {
		d.mismatch(s, v, path)
		return
	}
	s.open()
	members := v.members
	if s.node.Exact {
		members = lastOfEach(members)
	}
	for _, m := range members {
		if i, ok := s.find(m.name); ok {
			member := s.members[i]
			d.into(member, m.value, inside(path, s.node, member.node))
		}
	}
}

// lastOfEach drops members that are repeated later.
func lastOfEach(members []member) []member {
	var last []member
	for i, m := range members {
		repeated := slices.ContainsFunc(members[i+1:], func(later member) bool { return later.name == m.name })
		if !repeated {
			last = append(last, m)
		}
	}
	return last
}

// find returns the index of the member that a name in JSON stands for: the
// property of that name, or else the first that differs in letter case only. It
// may be a property that is not declared.
func (s *slot) find(name string) (int, bool) {
	names := s.node.Names
	if !slices.Contains(names, name) {
		if s.node.Exact {
			return 0, false
		}
		folded := slices.IndexFunc(names, func(property string) bool { return strings.EqualFold(property, name) })
		if folded < 0 {
			return 0, false
		}
		name = names[folded]
	}
	i := slices.IndexFunc(s.node.Members, func(n *model.Node) bool { return n.Name == name })
	return i, i >= 0
}

func (d *decoder) array(s *slot, v *value, path string) {
	if v.kind == text && isOctet(s.node.Elem) {
		d.octets(s, v, path)
		return
	}
	if v.kind != array {
		d.mismatch(s, v, path)
		return
	}
	for i, item := range v.items {
		if i == len(s.elems) {
			s.elems = append(s.elems, &slot{node: s.node.Elem})
		}
		d.into(s.elems[i], item, at(path, i))
	}
	s.state, s.length = present, len(v.items)
	if s.length == 0 {
		s.elems = nil
	}
}

// isOctet reports whether a list of such elements is []byte in Go, as binary data is.
func isOctet(n *model.Node) bool {
	return n.Kind == model.Integer && n.Zero && (formatOf(n) == "uint8" || formatOf(n) == "byte")
}

// octets decodes a list of octets that is written as binary data.
func (d *decoder) octets(s *slot, v *value, path string) {
	l, problem := parseBytes(v.text)
	if problem != "" {
		d.fail(v, path, "", "must be a list, or a string in base64: %s", problem)
		return
	}
	s.elems = nil
	for _, octet := range l.(bytesLeaf) {
		elem := &slot{node: s.node.Elem}
		elem.set(integerLeaf(strconv.Itoa(int(octet))))
		s.elems = append(s.elems, elem)
	}
	s.state, s.length = present, len(s.elems)
}

func (d *decoder) mapping(s *slot, v *value, path string) {
	if v.kind != object {
		d.mismatch(s, v, path)
		return
	}
	s.state = present
	if s.entries == nil {
		s.entries = map[string]*slot{}
	}
	for _, m := range v.members {
		entry := &slot{node: s.node.Elem}
		d.into(entry, m.value, entryPath(path, m.name))
		s.entries[m.name] = entry
	}
}

// mismatch reports a value of the wrong type.
func (d *decoder) mismatch(s *slot, v *value, path string) {
	d.fail(v, path, "", "must be %s, not %s", wanted(s.node), v.kind)
}

// wanted says what a value of the node must be.
func wanted(n *model.Node) string {
	switch n.Kind {
	case model.Object, model.Map:
		return "an object"
	case model.List:
		return "a list"
	case model.Boolean:
		return "true or false"
	case model.Integer:
		return strings.TrimSpace("an integer " + n.Format)
	case model.Number:
		return "a number"
	case model.Bytes:
		return "a string in base64"
	case model.Date:
		return "a date such as 2026-01-31"
	case model.Instant:
		return "a date-time such as 2026-01-31T12:00:00Z"
	case model.UUID:
		return "a UUID"
	}
	if isEmail(n) {
		return "an e-mail address"
	}
	return "a string"
}

func isEmail(n *model.Node) bool { return n.Kind == model.String && formatOf(n) == "email" }

// inside is the path of a member of the value at path.
func inside(path string, n, member *model.Node) string {
	return path + strings.TrimPrefix(member.Full, n.Full)
}

// at is the path of an element.
func at(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// entryPath is the path of an entry of a map.
func entryPath(path, key string) string { return path + "[" + quote(key) + "]" }
