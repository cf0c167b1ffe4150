package explain

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/idemgen/idemgen/internal/model"
)

// appendJSON appends a JSON value of any form.
func appendJSON(out []byte, v *value) []byte {
	switch v.kind {
	case null:
		return append(out, '0')
	case boolean:
		return append(out, boolLeaf(v.raw == "true").encode()...)
	case number:
		return appendText(append(out, 'n'), decimal(v.raw))
	case text:
		return appendText(append(out, 's'), v.text)
	case array:
		out = appendCount(append(out, '['), uint64(len(v.items)))
		for _, item := range v.items {
			out = appendJSON(out, item)
		}
		return out
	default:
		out = appendCount(append(out, '{'), uint64(len(v.members)))
		for _, m := range sortedMembers(v) {
			out = appendJSON(appendText(out, m.name), m.value)
		}
		return out
	}
}

// showJSON writes a JSON value in one spelling.
func showJSON(v *value) string {
	var parts []string
	switch v.kind {
	case number:
		return decimal(v.raw)
	case text:
		return quote(v.text)
	case array:
		for _, item := range v.items {
			parts = append(parts, showJSON(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case object:
		for _, m := range sortedMembers(v) {
			parts = append(parts, quote(m.name)+":"+showJSON(m.value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	default:
		return v.raw
	}
}

func sortedMembers(v *value) []member {
	members := slices.Clone(v.members)
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return members
}

var decimalNumber = regexp.MustCompile(`^([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// decimal writes a decimal number by its value: digits that neither begin nor end
// with a zero, and the power of ten to multiply them by. What is no such number
// stays as it is.
func decimal(s string) string {
	parts := decimalNumber.FindStringSubmatch(s)
	if parts == nil {
		return s
	}
	sign, whole, fraction := parts[1], parts[2], parts[3]
	exponent := new(big.Int)
	if parts[4] != "" {
		exponent.SetString(parts[4], 10)
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	significant := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	return strings.TrimPrefix(sign, "+") + significant + "e" + exponent.String()
}

// normalize applies the normalizations of a node to a string, in their fixed order.
func normalize(n *model.Node, s string) string {
	if slices.Contains(n.Normalize, model.Trim) {
		s = strings.Trim(s, " \t\n\v\f\r")
	}
	if slices.Contains(n.Normalize, model.Lower) {
		s = lower(s)
	}
	if slices.Contains(n.Normalize, model.NFC) {
		s = norm.NFC.String(s)
	}
	if slices.Contains(n.Normalize, model.Decimal) {
		s = decimal(s)
	}
	return s
}

// lower changes the letters A to Z, and no other bytes.
func lower(s string) string {
	bytes := []byte(s)
	for i, c := range bytes {
		if c >= 'A' && c <= 'Z' {
			bytes[i] = c + 'a' - 'A'
		}
	}
	return string(bytes)
}
