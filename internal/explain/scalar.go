package explain

import (
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// leaf returns what a JSON value is as a value of the slot's kind, or reports that
// it is none.
func (d *decoder) leaf(s *slot, v *value, path string) (leaf, bool) {
	switch {
	case s.node.Kind == model.JSON:
		return jsonLeaf{v}, true
	case s.node.Kind == model.Bytes && v.kind == array:
		return d.byteList(s, v, path)
	}
	l, problem := d.scalarLeaf(s.node, v)
	switch problem {
	case "":
		return l, true
	case wrongType:
		d.mismatch(s, v, path)
	default:
		d.fail(v, path, "", "must be %s: %s", wanted(s.node), problem)
	}
	return nil, false
}

func (d *decoder) scalarLeaf(n *model.Node, v *value) (l leaf, problem string) {
	switch n.Kind {
	case model.Boolean:
		return fromBoolean(v)
	case model.Integer:
		return fromInteger(n, v)
	case model.Number:
		return fromNumber(n, v)
	case model.Bytes:
		return fromString(v, parseBytes)
	case model.Date:
		return fromString(v, parseDate)
	case model.Instant:
		return fromInstant(v)
	case model.UUID:
		return fromString(v, parseUUID)
	default:
		return fromString(v, d.textParser(n))
	}
}

// wrongType is the problem of a JSON value of another type.
const wrongType = "wrong type"

func fromBoolean(v *value) (leaf, string) {
	if v.kind != boolean {
		return nil, wrongType
	}
	return boolLeaf(v.raw == "true"), ""
}

func fromString(v *value, parse func(string) (leaf, string)) (leaf, string) {
	if v.kind != text {
		return nil, wrongType
	}
	return parse(v.text)
}

// fromInstant reads the text between the quotation marks as it is written: Go does
// not look for escape sequences there.
func fromInstant(v *value) (leaf, string) {
	if v.kind != text {
		return nil, wrongType
	}
	return parseInstant(v.raw[1 : len(v.raw)-1])
}

func fromInteger(n *model.Node, v *value) (leaf, string) {
	if v.kind != number {
		return nil, wrongType
	}
	if strings.ContainsAny(v.raw, ".eE") {
		return nil, v.raw + " has a fraction or an exponent"
	}
	return parseInteger(n, v.raw)
}

// parseInteger reads decimal digits with or without a sign.
func parseInteger(n *model.Node, s string) (leaf, string) {
	value, ok := new(big.Int).SetString(s, 10)
	if !ok || strings.Contains(s, "_") {
		return nil, quote(s) + " is not written in decimal digits"
	}
	bits, unsigned := width(formatOf(n))
	switch {
	case bits == 0:
	case unsigned && (strings.ContainsAny(s, "+-") || value.BitLen() > bits):
		return nil, s + " is out of range"
	case !unsigned && !fitsSigned(value, bits):
		return nil, s + " is out of range"
	}
	return integerLeaf(value.String()), ""
}

// formatOf returns the format that decides how a number or string is decoded: the
// schema's, unless it asks for another Go type.
func formatOf(n *model.Node) string {
	switch n.GoType {
	case "":
		return n.Format
	case "float64":
		return "double"
	case "float32":
		return "float"
	default:
		return n.GoType
	}
}

// width returns how many bits oapi-codegen gives an integer, 0 for any number.
func width(format string) (bits int, unsigned bool) {
	switch format {
	case "big.Int":
		return 0, false
	case "int8":
		return 8, false
	case "int16":
		return 16, false
	case "int32":
		return 32, false
	case "uint8":
		return 8, true
	case "uint16":
		return 16, true
	case "uint32":
		return 32, true
	case "uint", "uint64":
		return 64, true
	default:
		return 64, false
	}
}

func fitsSigned(v *big.Int, bits int) bool {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	return v.Cmp(limit) < 0 && v.Cmp(new(big.Int).Neg(limit)) >= 0
}

func fromNumber(n *model.Node, v *value) (leaf, string) {
	if v.kind != number {
		return nil, wrongType
	}
	bits := 64
	if formatOf(n) == "float" {
		bits = 32
	}
	f, err := strconv.ParseFloat(v.raw, bits)
	if err != nil {
		return nil, v.raw + " is out of range"
	}
	return floatLeaf(f), ""
}

// byteList reads binary data that is written as a list of numbers, which
// encoding/json accepts too.
func (d *decoder) byteList(s *slot, v *value, path string) (leaf, bool) {
	before, _ := s.leaf.(bytesLeaf)
	out := make(bytesLeaf, len(v.items))
	copy(out, before)
	complete := true
	for i, item := range v.items {
		octet := &slot{node: &model.Node{Kind: model.Integer, Format: "uint8"}}
		if item.kind == null {
			continue
		}
		l, ok := d.leaf(octet, item, at(path, i))
		if !ok {
			complete = false
			continue
		}
		n, _ := strconv.Atoi(string(l.(integerLeaf)))
		out[i] = byte(n)
	}
	return out, complete
}

// checkDecoded reports what has more than one meaning in free-form JSON, for which
// the service refuses the request. What was replaced later does not matter.
func (d *decoder) checkDecoded(s *slot, path string) {
	if s.state != present {
		return
	}
	if raw, ok := s.leaf.(jsonLeaf); ok {
		d.checkFreeForm(raw.value, path)
	}
	for _, member := range s.members {
		d.checkDecoded(member, inside(path, s.node, member.node))
	}
	for i, elem := range s.elems[:s.length] {
		d.checkDecoded(elem, at(path, i))
	}
	for key, entry := range s.entries {
		d.checkDecoded(entry, entryPath(path, key))
	}
}

func (d *decoder) checkFreeForm(v *value, path string) {
	if v.broken {
		d.fail(v, path, "", "is not Unicode, in free-form JSON")
	}
	for i, item := range v.items {
		d.checkFreeForm(item, at(path, i))
	}
	seen := map[string]bool{}
	for _, m := range v.members {
		below := entryPath(path, m.name)
		switch {
		case m.broken:
			d.list.Errorf(d.position(m.at), "", "the name %s is not Unicode, in free-form JSON", below)
		case seen[m.name]:
			d.list.Errorf(d.position(m.at), "keep one", "%s is given twice, in free-form JSON", below)
		}
		seen[m.name] = true
		d.checkFreeForm(m.value, below)
	}
}

// textParser returns what reads a string of that node.
func (d *decoder) textParser(n *model.Node) func(string) (leaf, string) {
	if isEmail(n) && !d.plain {
		return parseEmail
	}
	return parseString
}

func parseString(s string) (leaf, string) { return stringLeaf(s), "" }

// parseEmail keeps the address and drops the name.
func parseEmail(s string) (leaf, string) {
	address, err := mail.ParseAddress(s)
	if err != nil {
		return nil, quote(s) + " is none"
	}
	return stringLeaf(address.Address), ""
}

func parseBytes(s string) (leaf, string) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, quote(s) + " is not"
	}
	return bytesLeaf(b), ""
}

func parseDate(s string) (leaf, string) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return nil, quote(s) + " is none"
	}
	return dateLeaf(t.Format(time.DateOnly)), ""
}

func parseInstant(s string) (leaf, string) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return nil, quote(s) + " is none"
	}
	return instantOf(t), ""
}

// parseUUID reads the four spellings that github.com/google/uuid accepts. Of the
// one in braces only what stands between them is looked at.
func parseUUID(s string) (leaf, string) {
	form := s
	switch {
	case len(s) == 45 && strings.EqualFold(s[:9], "urn:uuid:"):
		form = s[9:]
	case len(s) == 38:
		form = s[1:37]
	}
	groups := []string{form}
	if len(form) == 36 {
		groups = strings.Split(form, "-")
	}
	digits, err := hex.DecodeString(strings.Join(groups, ""))
	if err != nil || len(digits) != 16 || len(groups) > 1 && !hasUUIDGroups(groups) {
		return nil, quote(s) + " is none"
	}
	return uuidLeaf(digits), ""
}

func hasUUIDGroups(groups []string) bool {
	return slices.EqualFunc(groups, []int{8, 4, 4, 4, 12}, func(group string, length int) bool { return len(group) == length })
}
