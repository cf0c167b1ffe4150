package differential

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/idemgen/idemgen/internal/model"
)

type state int

const (
	missing state = iota
	isNull
	given
)

// value is what a request says of a shape, whatever its spelling.
type value struct {
	state   state
	leaf    any      // bool, *big.Int, float64, string, []byte, [16]byte, time.Time or a JSON value
	members []*value // of an object: one for each member of the shape
	elems   []*value // of a list or map
	keys    []string // of a map
}

// A JSON value of any form is nil, a bool, a decimal, a string, a []any or a
// map[string]any.

// decimal is a number: digits, neither beginning nor ending with a zero, times a
// power of ten. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exponent)
}

func (v *value) clone() *value {
	if v == nil {
		return nil
	}
	c := *v
	c.keys = slices.Clone(v.keys)
	c.members, c.elems = cloneAll(v.members), cloneAll(v.elems)
	return &c
}

func cloneAll(values []*value) []*value {
	cloned := make([]*value, len(values))
	for i, v := range values {
		cloned[i] = v.clone()
	}
	return cloned
}

// empty is an object of which nothing is given.
func (s *shape) empty() *value {
	v := &value{state: given, members: make([]*value, len(s.members))}
	for i := range v.members {
		v.members[i] = &value{}
	}
	return v
}

// zeroValue is what a Go variable holds before anything is decoded.
func (s *shape) zeroValue() *value {
	v := &value{state: given}
	switch s.kind {
	case model.Object:
		return s.empty()
	case model.Boolean:
		v.leaf = false
	case model.Integer:
		v.leaf = new(big.Int)
	case model.Number:
		v.leaf = 0.0
	case model.Date:
		v.leaf = time.Time{}
	case model.Instant:
		v.leaf = time.Time{}
	case model.UUID:
		v.leaf = [16]byte{}
	default:
		v.leaf = ""
	}
	return v
}

// meaning says what the declared part of a value comes to. Two values mean the same
// if and only if the texts are equal.
func (s *shape) meaning(v *value) string {
	switch {
	case v.state == isNull && s.keepsNull:
		return "null"
	case v.state != given:
		return s.meaningOfMissing()
	case s.kind == model.Object:
		var parts []string
		for i, member := range s.members {
			if member.takesPart() {
				parts = append(parts, strconv.Quote(member.name)+":"+member.meaning(v.members[i]))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	case s.kind == model.List:
		parts := make([]string, len(v.elems))
		for i, elem := range v.elems {
			parts[i] = s.elem.meaning(elem)
		}
		if s.unordered {
			slices.Sort(parts)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case s.kind == model.Map:
		parts := make([]string, len(v.elems))
		for i, elem := range v.elems {
			parts[i] = strconv.Quote(v.keys[i]) + ":" + s.elem.meaning(elem)
		}
		slices.Sort(parts)
		return "map{" + strings.Join(parts, ",") + "}"
	default:
		return s.meaningOfLeaf(v.leaf)
	}
}

func (s *shape) meaningOfMissing() string {
	switch {
	case s.isZero():
		return s.meaning(s.zeroValue())
	case s.preset != nil:
		return s.meaning(s.preset)
	case s.kind == model.Object && !s.inList && !s.inMap:
		return s.nothing()
	default:
		return "absent"
	}
}

// nothing is the meaning of an object that is absent, and so all beneath it.
func (s *shape) nothing() string {
	if s.kind != model.Object {
		return "absent"
	}
	var parts []string
	for _, member := range s.members {
		if member.takesPart() {
			parts = append(parts, strconv.Quote(member.name)+":"+member.nothing())
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// takesPart reports whether anything of a shape is declared.
func (s *shape) takesPart() bool {
	return s.declared && !s.readOnly
}

func (s *shape) meaningOfLeaf(leaf any) string {
	switch v := leaf.(type) {
	case *big.Int:
		return v.String()
	case float64:
		return strconv.FormatFloat(v+0, 'b', -1, 64)
	case string:
		if s.isEmail() {
			v = address(v)
		}
		return s.meaningOfText(v)
	case []byte:
		return fmt.Sprintf("bytes %x", v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case [16]byte:
		return hex.EncodeToString(v[:])
	default:
		return "json " + meaningOfJSON(v)
	}
}

// address is the part of a mailbox, as they are drawn, that counts.
func address(mailbox string) string {
	if i := strings.Index(mailbox, "<"); i >= 0 {
		return strings.Trim(mailbox[i:], "<>")
	}
	return mailbox
}

func (s *shape) meaningOfText(text string) string {
	for _, step := range []string{model.Trim, model.Lower, model.NFC, model.Decimal} {
		if !slices.Contains(s.normalize, step) {
			continue
		}
		switch step {
		case model.Trim:
			text = strings.TrimFunc(text, func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' })
		case model.Lower:
			text = strings.Map(func(r rune) rune {
				if 'A' <= r && r <= 'Z' {
					r += 'a' - 'A'
				}
				return r
			}, text)
		case model.NFC:
			text = norm.NFC.String(text)
		case model.Decimal:
			if d, ok := readDecimal(text); ok {
				text = d.String()
			}
		}
	}
	return strconv.Quote(text)
}

// readDecimal reads the decimal numbers that are drawn, which math/big can hold.
func readDecimal(text string) (decimal, bool) {
	mantissa, exponent, scientific := strings.Cut(strings.ReplaceAll(text, "E", "e"), "e")
	power := 0
	if scientific {
		n, err := strconv.Atoi(exponent)
		if err != nil {
			return decimal{}, false
		}
		power = n
	}
	whole, fraction, pointed := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits := whole + fraction
	if whole == "" || pointed && fraction == "" || len(mantissa)-len(strings.TrimLeft(mantissa, "+-")) > 1 ||
		strings.Trim(digits, "0123456789") != "" {
		return decimal{}, false
	}
	return newDecimal(strings.HasPrefix(mantissa, "-"), digits, power-len(fraction)), true
}

// newDecimal takes zeros at both ends away.
func newDecimal(negative bool, digits string, exponent int) decimal {
	digits = strings.TrimLeft(digits, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return decimal{}
	}
	return decimal{negative, significant, exponent + len(digits) - len(significant)}
}

// meaningOfJSON writes a JSON value in one spelling.
func meaningOfJSON(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = meaningOfJSON(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.Quote(name)+":"+meaningOfJSON(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	default:
		return fmt.Sprint(v)
	}
}
