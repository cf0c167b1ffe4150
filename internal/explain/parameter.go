package explain

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// parameter decodes a parameter, given as JSON: a string as it stands in the
// request once percent-encoding is taken away, a number or boolean as it is
// written, a list of them for a list, an object for an object.
func (d *decoder) parameter(s *slot, in string, v *value, path string) {
	switch s.node.Kind {
	case model.Object:
		d.parameterObject(s, v, path)
	case model.List:
		d.parameterList(s, in, v, path)
	default:
		if characters, ok := d.characters(v, path); ok {
			d.scalar(s, in, characters, v, path)
		}
	}
}

// characters returns how a scalar stands in the request.
func (d *decoder) characters(v *value, path string) (string, bool) {
	switch v.kind {
	case text:
		return v.text, true
	case number, boolean:
		return v.raw, true
	default:
		d.fail(v, path, "", "must be a string, a number or a boolean, not %s", v.kind)
		return "", false
	}
}

// Places of scalars beside those of parameters.
const (
	inList   = "list"   // an element of any parameter
	inObject = "object" // a member of an object in the query
)

func (d *decoder) scalar(s *slot, in, characters string, v *value, path string) {
	if in != "query" && s.node.Required && characters == "" {
		d.fail(v, path, "", "is empty")
		return
	}
	l, problem := parseParameter(s.node, in, characters)
	if problem != "" {
		d.fail(v, path, "", "must be %s: %s", wanted(s.node), problem)
		return
	}
	s.set(l)
}

// parseParameter reads the characters of a scalar.
func parseParameter(n *model.Node, in, s string) (leaf, string) {
	switch n.Kind {
	case model.Boolean:
		b, err := strconv.ParseBool(s)
		return boolLeaf(b), problemOf(err, s)
	case model.Integer:
		return parseParameterInteger(n, in, s)
	case model.Number:
		return parseFloat(n, in, s)
	case model.Bytes:
		return parseAnyBase64(s)
	case model.Date, model.Instant:
		return parseParameterTime(n.Kind, in, s)
	case model.UUID:
		return parseUUID(s)
	default:
		return stringLeaf(s), ""
	}
}

// parseParameterTime reads a date or an instant. In the query and in what has
// parts, nothing at all is the zero time, unless it is an instant in an object, and
// an instant may be a date.
func parseParameterTime(k model.Kind, in, s string) (leaf, string) {
	lenient := in == "query" || in == inList || in == inObject
	switch {
	case lenient && s == "" && (k == model.Date || in != inObject):
		return zeroLeaf(k), ""
	case k == model.Date:
		return parseDate(s)
	case lenient:
		return parseInstantOrDate(s)
	default:
		return parseInstant(s)
	}
}

func problemOf(err error, s string) string {
	if err != nil {
		return quote(s) + " is none"
	}
	return ""
}

// parseParameterInteger reads an integer. In an object it is cut to the bits of its
// format, which the runtime of oapi-codegen does without a look at the rest.
func parseParameterInteger(n *model.Node, in, s string) (leaf, string) {
	if in != inObject {
		return parseInteger(n, s)
	}
	v, err := strconv.ParseInt(s, 10, 64)
	switch formatOf(n) {
	case "int8":
		v = int64(int8(v))
	case "int16":
		v = int64(int16(v))
	case "int32":
		v = int64(int32(v))
	}
	return integerLeaf(strconv.FormatInt(v, 10)), problemOf(err, s)
}

// parseFloat reads a number as Go writes them. A float32 is rounded twice, first to
// a double, but for one in an object.
func parseFloat(n *model.Node, in, s string) (leaf, string) {
	if in == inObject && formatOf(n) == "float" {
		f, err := strconv.ParseFloat(s, 32)
		return floatLeaf(f), problemOf(err, s)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err == nil && formatOf(n) == "float" {
		if a := math.Abs(f); a > math.MaxFloat32 && a <= math.MaxFloat64 {
			return nil, s + " is out of range"
		}
		f = float64(float32(f))
	}
	return floatLeaf(f), problemOf(err, s)
}

// parseAnyBase64 reads both alphabets, with padding and without.
func parseAnyBase64(s string) (leaf, string) {
	encoding := base64.StdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.URLEncoding
	}
	if !strings.Contains(s, "=") {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	b, err := encoding.DecodeString(s)
	return bytesLeaf(b), problemOf(err, s)
}

// parseInstantOrDate also reads a date, which is its midnight in UTC.
func parseInstantOrDate(s string) (leaf, string) {
	if l, problem := parseInstant(s); problem == "" {
		return l, ""
	}
	t, err := time.Parse(time.DateOnly, s)
	return instantOf(t), problemOf(err, s)
}

// parameterList decodes a list. Where its elements share one value they are joined
// as a client would send them, and split as the service would split them.
func (d *decoder) parameterList(s *slot, in string, v *value, path string) {
	if v.kind != array {
		d.fail(v, path, "write [a, b]", "must be a list, not %s", v.kind)
		return
	}
	var elements []string
	for i, item := range v.items {
		if characters, ok := d.characters(item, at(path, i)); ok {
			elements = append(elements, characters)
		}
	}
	switch {
	case len(elements) < len(v.items):
		return
	case len(elements) == 0 && s.node.Delimiter != "":
		d.fail(v, path, "leave the parameter out", "is an empty list, which cannot be sent")
		return
	case len(elements) == 0:
		return
	case s.node.Delimiter != "":
		joined := strings.Join(elements, s.node.Delimiter)
		if in != "query" && s.node.Required && joined == "" {
			d.fail(v, path, "", "is empty")
			return
		}
		elements = strings.Split(joined, s.node.Delimiter)
	}
	s.state, s.length = present, len(elements)
	for i, element := range elements {
		slot := &slot{node: s.node.Elem}
		s.elems = append(s.elems, slot)
		place := v
		if len(elements) == len(v.items) {
			place = v.items[i]
		}
		d.scalar(slot, inList, element, place, at(path, i))
	}
}

// parameterObject decodes an object in the query.
func (d *decoder) parameterObject(s *slot, v *value, path string) {
	if v.kind != object {
		d.mismatch(s, v, path)
		return
	}
	for _, m := range v.members {
		if !slices.Contains(s.node.Names, m.name) {
			d.list.Errorf(d.position(m.at), diag.DidYouMean(m.name, s.node.Names), "%s has no property %q", path, m.name)
			continue
		}
		s.open()
		if i, ok := s.find(m.name); ok && m.value.kind != null {
			d.parameter(s.members[i], inObject, m.value, inside(path, s.node, s.members[i].node))
		}
	}
}
