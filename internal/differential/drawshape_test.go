package differential

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// drawer draws the operations of one document.
type drawer struct {
	r          *rand.Rand
	with       setting
	components map[string]any // schemas
	prefix     string         // of the names of the operation's components
	named      int            // so many components
}

// operation is one that was drawn.
type operation struct {
	id, method, path string
	media            string
	mustHaveBody     bool
	body             *shape // nil for none
	parameters       []*shape
	fields, ignore   []any // of the fingerprint
	document         any   // the path item
}

func (d *drawer) operation(id string) *operation {
	d.prefix = id
	op := &operation{id: id, method: pick(d.r, "post", "put", "patch"), path: "/" + id, media: "application/json", mustHaveBody: oneIn(d.r, 2)}
	if oneIn(d.r, 10) {
		op.media = "application/merge-patch+json"
	}
	if !oneIn(d.r, 8) {
		op.body = d.body()
	}
	for i, in := range []string{"path", "query", "header", "cookie"} {
		if op.body != nil && oneIn(d.r, 2) {
			continue
		}
		for n := range d.r.IntN(4 - i) {
			op.parameters = append(op.parameters, d.parameter(in, n))
		}
	}
	d.declare(op)
	return op
}

func (d *drawer) body() *shape {
	var s *shape
	switch d.r.IntN(12) {
	case 0:
		s = d.list(2)
	case 1:
		s = d.mapping(2)
	case 2:
		s = d.leaf()
	default:
		s = d.object(3)
	}
	d.write(s, 3)
	if s.elem != nil && s.elem.kind == model.Object && s.elem.component == "" {
		s.elem.component = d.componentName() // in place, oapi-codegen would give two types one name
	}
	s.required, s.zero = true, true
	s.keepsNull = s.kind == model.JSON // x-go-type: json.RawMessage
	return s
}

// any draws a shape of any kind.
func (d *drawer) any(depth int) *shape {
	switch n := d.r.IntN(10); {
	case depth > 0 && n == 0, depth > 1 && n == 1:
		return d.object(depth - 1)
	case depth > 0 && n == 2:
		return d.list(depth - 1)
	case depth > 0 && n == 3:
		return d.mapping(depth - 1)
	default:
		return d.leaf()
	}
}

// names are those of properties. Some are the same but for letter case, and some
// are not the names of anything in Go.
var names = []string{
	"a", "b", "id", "kind", "amount", "items", "note", "at", "ship_to", "odd name", "x.y", "x-z", "type", "ab", "aB", "kilo", "\u212ailo",
	"é", "Z", "1st", "self", "string", "error", "h", "v", "key", "body", "a[0]", "[]", "*", "<b>", "#", "body.a", "len", "request", "$ref", "nil", "x@y", "größe",
}

// goNames are for names of which oapi-codegen makes no identifier.
var goNames = map[string]string{"[]": "Brackets", "*": "Star", "#": "Hash", "x@y": "XAtY", "body.a": "BodyDotA", "a[0]": "AZero"}

func (d *drawer) object(depth int) *shape {
	s := &shape{kind: model.Object, exact: oneIn(d.r, 8)}
	for _, i := range d.r.Perm(len(names))[:1+d.r.IntN(6)] {
		member := d.any(depth)
		member.name = names[i]
		member.required, member.writeOnly = oneIn(d.r, 3), oneIn(d.r, 12)
		member.readOnly = oneIn(d.r, 20) && !member.writeOnly
		if member.union { // of which a $ref is all there is
			member.readOnly, member.writeOnly = false, false
		}
		d.refine(member)
		if goNames[member.name] != "" && member.component != "" {
			member.name = "p" + strconv.Itoa(i) // a component's name would be changed
		}
		member.settleProperty(d.with)
		d.preset(member)
		s.members = append(s.members, member)
	}
	s.members[0].readOnly = false
	slices.SortFunc(s.members, func(a, b *shape) int { return strings.Compare(a.name, b.name) })
	return s
}

// refine draws what is said of any property or element.
func (d *drawer) refine(s *shape) {
	s.nullable = oneIn(d.r, 4)
	if oneIn(d.r, 12) && s.name != "" && !s.union {
		skip := oneIn(d.r, 2)
		s.skip = &skip
	}
	d.write(s, 4)
}

// write draws in which form a schema stands.
func (d *drawer) write(s *shape, n int) {
	if s.kind == model.Object && len(s.members) > 1 && oneIn(d.r, 4) && !s.exact {
		s.split = 1 + d.r.IntN(len(s.members)-1)
	}
	if s.component == "" && oneIn(d.r, n) {
		s.component = d.componentName()
		s.wrapped = oneIn(d.r, 2) && s.kind != model.JSON
	}
}

func (d *drawer) componentName() string {
	d.named++
	return d.prefix + "S" + strconv.Itoa(d.named)
}

// preset draws a default.
func (d *drawer) preset(s *shape) {
	if !oneIn(d.r, 3) || !s.mayHaveDefault(d.with) {
		return
	}
	v, text, ok := s.drawDefault(d.r)
	if !ok {
		return
	}
	s.preset, s.spelled = v, text
}

func (d *drawer) list(depth int) *shape {
	elem := d.any(depth)
	elem.inList = true
	d.refine(elem)
	elem.settleElement(d.with)
	return &shape{kind: model.List, elem: elem}
}

func (d *drawer) mapping(depth int) *shape {
	elem := d.any(depth)
	elem.inMap = true
	d.refine(elem)
	elem.settleElement(d.with)
	return &shape{kind: model.Map, elem: elem}
}

func (d *drawer) leaf() *shape {
	s := d.scalar()
	switch d.r.IntN(14) {
	case 0:
		return &shape{kind: model.JSON}
	case 1:
		return &shape{kind: model.JSON, union: true, component: d.componentName()}
	case 2:
		return &shape{kind: model.Integer, format: bigInteger}
	default:
		return s
	}
}

func (d *drawer) scalar() *shape {
	switch d.r.IntN(12) {
	case 0:
		return &shape{kind: model.Boolean}
	case 1, 2, 3:
		return &shape{kind: model.Integer, format: pick(d.r, "", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "other")}
	case 4:
		return &shape{kind: model.Number, format: pick(d.r, "double", "float")}
	case 5:
		return &shape{kind: model.Bytes, format: "byte"}
	case 6:
		return &shape{kind: model.Date, format: "date"}
	case 7:
		return &shape{kind: model.Instant, format: "date-time"}
	case 8:
		return &shape{kind: model.UUID, format: "uuid"}
	case 9:
		return &shape{kind: model.String, enum: []string{"x", "y", "X"}}
	default:
		return &shape{kind: model.String, format: pick(d.r, "", "", "", email, "hostname", "other")}
	}
}

// parameter draws the n-th parameter in a place.
func (d *drawer) parameter(in string, n int) *shape {
	s := d.scalar()
	for s.kind == model.Bytes && in == "cookie" || s.format == email && in != "query" || strings.HasPrefix(s.format, "uint") && in != "query" {
		s = d.scalar()
	}
	d.write(s, 8)
	s.wrapped = s.wrapped && s.kind != model.Bytes // which explain refuses
	switch {
	case in == "query" && oneIn(d.r, 6):
		s = d.deepObject()
	case s.kind != model.Bytes && oneIn(d.r, 4):
		s.inList, s.zero = true, true
		s = &shape{kind: model.List, elem: s}
	}
	s.each(func(s *shape) { s.in = in })
	s.name = fmt.Sprintf("%s_%d", in, n)
	if in == "header" {
		s.name = fmt.Sprintf("X-Head-%d", n)
	}
	s.required = in == "path" || oneIn(d.r, 4)
	if s.kind == model.List {
		s.delimiter = ","
		if in == "query" {
			s.delimiter = pick(d.r, "", "", ",")
		}
		s.elem.delimiter = s.delimiter
	}
	s.settleParameter(d.with)
	d.preset(s)
	return s
}

func (d *drawer) deepObject() *shape {
	s := &shape{kind: model.Object}
	for _, name := range []string{"a", "b", "c"}[:1+d.r.IntN(3)] {
		member := d.scalar()
		for member.kind == model.Bytes || strings.HasPrefix(member.format, "uint") || member.format == email {
			member = d.scalar()
		}
		member.name, member.required, member.in = name, oneIn(d.r, 3), "query"
		member.settleProperty(d.with)
		d.preset(member)
		s.members = append(s.members, member)
	}
	return s
}
