package differential

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/idemgen/idemgen/internal/model"
)

// speller writes values as JSON, in any spelling that means the same.
type speller struct{ r *rand.Rand }

// value writes a value that is there.
func (w speller) value(s *shape, v *value) string {
	if v.state == isNull {
		return "null"
	}
	switch s.kind {
	case model.Object:
		return w.object(s, v)
	case model.List:
		return w.list(s, v)
	case model.Map:
		members := make([]string, len(v.elems))
		for i, elem := range v.elems {
			members[i] = w.text(v.keys[i]) + w.space() + ":" + w.space() + w.element(s.elem, elem)
		}
		return w.braced(members)
	default:
		return w.leaf(s, v.leaf)
	}
}

func (w speller) list(s *shape, v *value) string {
	elems := slices.Clone(v.elems)
	if s.unordered {
		w.r.Shuffle(len(elems), func(i, j int) { elems[i], elems[j] = elems[j], elems[i] })
	}
	parts := make([]string, len(elems))
	for i, elem := range elems {
		parts[i] = w.element(s.elem, elem)
	}
	return "[" + w.space() + strings.Join(parts, w.space()+","+w.space()) + w.space() + "]"
}

// element writes an element. Null is another spelling of the zero value.
func (w speller) element(s *shape, v *value) string {
	none := &value{state: isNull}
	switch {
	case !oneIn(w.r, 3) || s.refusesNull() || s.meaning(v) != s.meaning(none):
	case v.state == isNull && s.isZero() && !s.keepsNull:
		return w.value(s, s.zeroValue())
	default:
		return "null"
	}
	return w.value(s, v)
}

func (w speller) object(s *shape, v *value) string {
	var members []string
	for i, member := range s.members {
		if text, ok := w.member(member, v.members[i]); ok {
			members = append(members, w.text(member.name)+w.space()+":"+w.space()+text)
		}
	}
	for range w.r.IntN(3) {
		members = append(members, w.text(pick(w.r, "zz", "undeclared", "_ _", "ÿ", "q1"))+":"+w.undeclared(s))
	}
	return w.braced(members)
}

// undeclared writes a member of which the schema says nothing. Some are decoded
// nevertheless, and their numbers must be doubles.
func (w speller) undeclared(s *shape) string {
	for {
		v := drawJSON(w.r, 2)
		if text := spellJSON(w.r, v); !s.exact || json.Unmarshal([]byte(text), new(any)) == nil {
			return text
		}
	}
}

// member writes a member, unless its absence means the same. What takes no part can
// be anything that is accepted.
func (w speller) member(s *shape, v *value) (string, bool) {
	if !s.takesPart() {
		return w.given(s, s.drawMember(w.r))
	}
	same := []*value{v}
	for _, other := range s.wordings() {
		if s.meaning(other) == s.meaning(v) {
			same = append(same, other)
		}
	}
	return w.given(s, pick(w.r, same...))
}

// given writes a value that may be missing.
func (w speller) given(s *shape, v *value) (string, bool) {
	if v.state == missing {
		return "", false
	}
	return w.value(s, v), true
}

// wordings are values that may mean the same as another one: nothing, null, the
// default and the zero value.
func (s *shape) wordings() []*value {
	all := []*value{{}}
	if !s.refusesNull() {
		all = append(all, &value{state: isNull})
	}
	if s.preset != nil {
		all = append(all, s.preset)
	}
	if s.kind == model.Object || s.isZero() && !s.isEmail() {
		all = append(all, s.zeroValue())
	}
	return all
}

func (w speller) braced(members []string) string {
	w.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + w.space() + strings.Join(members, w.space()+","+w.space()) + w.space() + "}"
}

func (w speller) space() string { return pick(w.r, "", "", "", "", " ", "\n\t", "\r\n ") }

// escapes are those that JSON has for single characters.
var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '/': `\/`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// text writes a string as JSON, with escapes or without.
func (w speller) text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch short, ok := escapes[c]; {
		case ok && oneIn(w.r, 2):
			b.WriteString(short)
		case c == '"' || c == '\\' || c < ' ' || oneIn(w.r, 8):
			for _, unit := range utf16.Encode([]rune{c}) {
				b.WriteString(pick(w.r, fmt.Sprintf(`\u%04x`, unit), fmt.Sprintf(`\u%04X`, unit)))
			}
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (w speller) leaf(s *shape, leaf any) string {
	switch v := leaf.(type) {
	case *big.Int:
		if v.Sign() == 0 && !strings.HasPrefix(s.format, "uint") && oneIn(w.r, 4) {
			return "-0"
		}
		return v.String()
	case float64:
		return spellDecimal(w.r, decimalOf(v))
	case string:
		return w.text(w.string(s, v))
	case []byte:
		return w.bytes(v)
	case time.Time:
		if s.kind == model.Date {
			return w.text(v.Format(time.DateOnly))
		}
		return `"` + spellInstant(w.r, v) + `"`
	case [16]byte:
		return w.text(spellUUID(w.r, v))
	default:
		return spellJSON(w.r, v)
	}
}

// string finds another string that means the same.
func (w speller) string(s *shape, v string) string {
	if s.isEmail() {
		if address := address(v); address != "" && oneIn(w.r, 2) {
			return pick(w.r, address, "<"+address+">", "X <"+address+">", " \"a, b\" <"+address+">")
		}
		return v
	}
	var same []string
	for _, other := range []string{" " + v, v + "\t\n", strings.ToUpper(v), strings.ToLower(v), respelled(w.r, v)} {
		if s.meaningOfText(other) == s.meaningOfText(v) {
			same = append(same, other)
		}
	}
	return pick(w.r, append(same, v)...)
}

// respelled writes a number in another way.
func respelled(r *rand.Rand, text string) string {
	if d, ok := readDecimal(strings.TrimSpace(text)); ok {
		return spellAnyDecimal(r, d)
	}
	return text
}

func (w speller) bytes(v []byte) string {
	if oneIn(w.r, 6) {
		octets := make([]string, len(v))
		for i, b := range v {
			octets[i] = strconv.Itoa(int(b))
		}
		return "[" + strings.Join(octets, ",") + "]"
	}
	text := base64.StdEncoding.EncodeToString(v)
	if len(text) > 0 && oneIn(w.r, 3) {
		at := w.r.IntN(len(text) + 1)
		text = text[:at] + pick(w.r, "\n", "\r\n") + text[at:]
	}
	return w.text(text)
}

// decimalOf writes a double with the digits that identify it.
func decimalOf(f float64) decimal {
	d, _ := readDecimal(strconv.FormatFloat(f, 'e', -1, 64))
	return d
}

// spellDecimal writes a number as JSON.
func spellDecimal(r *rand.Rand, d decimal) string {
	if d.digits == "" {
		return pick(r, "0", "-0", "0.0", "0e5", "-0.000E-2", "0E+0")
	}
	zeros := r.IntN(3)
	digits, exponent := d.digits+strings.Repeat("0", zeros), d.exponent-zeros
	after := r.IntN(len(digits) + 2) // digits behind the point
	if exponent < 0 && exponent > -30 && oneIn(r, 2) {
		after = -exponent
	}
	if missing := after + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	text := digits[:len(digits)-after]
	if after > 0 {
		text += "." + digits[len(digits)-after:]
	}
	if exponent += after; exponent != 0 || oneIn(r, 4) {
		text += pick(r, "e", "E")
		if exponent >= 0 {
			text += pick(r, "", "+")
		}
		text += strconv.Itoa(exponent)
	}
	if d.negative {
		return "-" + text
	}
	return text
}

// spellAnyDecimal also writes numbers as only normalize reads them.
func spellAnyDecimal(r *rand.Rand, d decimal) string {
	text := spellDecimal(r, d)
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	} else if oneIn(r, 4) {
		sign = "+"
	}
	return sign + pick(r, "", "", "0", "00") + text
}

// spellInstant writes an instant in some zone.
func spellInstant(r *rand.Rand, t time.Time) string {
	offset := pick(r, 0, 0, 60, -60, 330, -12*60, 14*60, 1)
	local := t.UTC().Add(time.Duration(offset) * time.Minute)
	if local.Year() < 0 || local.Year() > 9999 {
		local, offset = t.UTC(), 0
	}
	text := local.Format("2006-01-02T15:04:05")
	if fraction := strings.TrimRight(fmt.Sprintf("%09d", t.Nanosecond()), "0"); fraction != "" || oneIn(r, 3) {
		text += pick(r, ".", ",") + fraction + pick(r, "0", "000")
		if len(fraction) == 9 && oneIn(r, 2) {
			text += "9" // beyond nanoseconds
		}
	}
	if offset == 0 {
		return text + pick(r, "Z", "+00:00", "-00:00")
	}
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	return text + fmt.Sprintf("%s%02d:%02d", sign, offset/60, offset%60)
}

func spellUUID(r *rand.Rand, u [16]byte) string {
	digits := hex.EncodeToString(u[:])
	if oneIn(r, 3) {
		digits = strings.ToUpper(digits)
	}
	hyphened := digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
	return pick(r, hyphened, hyphened, digits, "{"+hyphened+"}", pick(r, "urn:uuid:", "URN:uuid:")+hyphened)
}

// spellJSON writes JSON of any form.
func spellJSON(r *rand.Rand, v any) string {
	w := speller{r}
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case decimal:
		return spellDecimal(r, v)
	case string:
		return w.text(v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = w.space() + spellJSON(r, item)
		}
		return "[" + strings.Join(items, ",") + w.space() + "]"
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, w.text(name)+w.space()+":"+spellJSON(r, v[name]))
		}
		return w.braced(members)
	default:
		panic(fmt.Sprintf("%T is no JSON value", v))
	}
}

// drawDefault draws a default, and writes it as a document does. The validating
// middleware reads numbers as doubles, and so only few are accepted.
func (s *shape) drawDefault(r *rand.Rand) (*value, string, bool) {
	v := s.drawGiven(r)
	text, ok := s.plain(v)
	return v, text, ok
}

// plain writes a value in the one spelling that defaults have, if it has one.
func (s *shape) plain(v *value) (string, bool) {
	var parts []string
	add := func(prefix string, s *shape, v *value) bool {
		text, ok := s.plain(v)
		parts = append(parts, prefix+text)
		return ok
	}
	switch {
	case v.state == isNull:
		return "", false
	case s.kind == model.Object:
		for i, member := range s.members {
			m := v.members[i]
			switch {
			case member.readOnly:
			case m.state == missing && (member.required || member.isZero()):
				return "", false // what it comes to is not for a default to leave open
			case m.state != missing && !add(quoted(member.name)+":", member, m):
				return "", false
			}
		}
		return "{" + strings.Join(parts, ",") + "}", true
	case s.kind == model.List:
		for _, elem := range v.elems {
			if !add("", s.elem, elem) {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ",") + "]", true
	case s.kind == model.Map:
		for i, elem := range v.elems {
			if !add(quoted(v.keys[i])+":", s.elem, elem) {
				return "", false
			}
		}
		return "{" + strings.Join(parts, ",") + "}", true
	default:
		return s.plainLeaf(v.leaf)
	}
}

func (s *shape) plainLeaf(leaf any) (string, bool) {
	switch v := leaf.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case *big.Int:
		return v.String(), v.IsInt64() && v.Int64() < 1<<53 && v.Int64() > -1<<53
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), v > -1e300 && v < 1e300
	case string:
		return quoted(v), !s.isEmail() || address(v) == v
	case []byte:
		return quoted(base64.StdEncoding.EncodeToString(v)), true
	case [16]byte:
		digits := hex.EncodeToString(v[:])
		return quoted(digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]), true
	case time.Time:
		if s.kind == model.Date {
			return quoted(v.Format(time.DateOnly)), true
		}
		return quoted(v.Format(time.RFC3339Nano)), true
	default:
		text := spellJSON(rand.New(rand.NewPCG(1, 1)), v)
		return text, !strings.ContainsAny(text, "0123456789") && text != "null"
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // strings always encode
	return string(text)
}
