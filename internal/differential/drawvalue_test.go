package differential

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// oneIn is true once in n times.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// value draws a value that the service accepts.
func (s *shape) draw(r *rand.Rand) *value {
	switch {
	case s.in != "" || !oneIn(r, 10):
	case !s.refusesNull():
		return &value{state: isNull}
	}
	return s.drawGiven(r)
}

// drawMember also leaves values out.
func (s *shape) drawMember(r *rand.Rand) *value {
	if oneIn(r, 3) {
		return &value{}
	}
	return s.draw(r)
}

func (s *shape) drawGiven(r *rand.Rand) *value {
	v := &value{state: given}
	switch s.kind {
	case model.Object:
		for _, member := range s.members {
			v.members = append(v.members, member.drawMember(r))
		}
	case model.List, model.Map:
		s.drawElements(r, v)
	default:
		v.leaf = s.drawLeaf(r)
	}
	return v
}

func (s *shape) drawElements(r *rand.Rand, v *value) {
	if s.kind == model.List {
		for range r.IntN(4) {
			v.elems = append(v.elems, s.elem.draw(r))
		}
		if s.in != "" && len(v.elems) == 0 {
			v.elems = append(v.elems, s.elem.draw(r)) // an empty one cannot be sent
		}
		return
	}
	for _, i := range r.Perm(len(keys))[:r.IntN(4)] {
		v.keys = append(v.keys, keys[i])
		v.elems = append(v.elems, s.elem.draw(r))
	}
}

// keys are those of maps and of free-form JSON.
var keys = []string{"", "a", "A", "b", "ab", "a.b", "\"", "é", "e\u0301", "😀", "\ufffd", "k", "\u212a"}

func (s *shape) drawLeaf(r *rand.Rand) any {
	switch s.kind {
	case model.Boolean:
		return oneIn(r, 2)
	case model.Integer:
		return s.drawInteger(r)
	case model.Number:
		return s.drawNumber(r)
	case model.Bytes:
		return pick(r, []byte{}, []byte{0}, []byte{0, 0}, []byte{255}, []byte("a"), []byte("ab"), []byte("abc"), []byte{0xfb, 0xff}, []byte{0xfb, 0xff, 0xbf})
	case model.Date:
		return pick(r, dates...)
	case model.Instant:
		return drawInstant(r)
	case model.UUID:
		u := [16]byte{0x0b, 0x6f, 0x1f, 0x0e, 0x6a, 0x0c, 0x4d, 0x5e, 0x9d, 0x5f, 0x0c, 0x1a, 0x2b, 0x3c, 0x4d, 0x5e}
		u[pick(r, 0, 3, 15)] = pick[byte](r, 0, 1, 0xab, 0xff)
		return pick(r, u, u, u, [16]byte{})
	case model.JSON:
		return s.drawFreeForm(r)
	default:
		return s.drawText(r)
	}
}

// limits returns the least and the greatest integer of a format.
func limits(format string) (least, greatest *big.Int) {
	bits := uint(64)
	switch format {
	case "int8", "uint8":
		bits = 8
	case "int16", "uint16":
		bits = 16
	case "int32", "uint32":
		bits = 32
	case bigInteger:
		bits = 300
	}
	one := big.NewInt(1)
	if strings.HasPrefix(format, "u") {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	limit := new(big.Int).Lsh(one, bits-1)
	return new(big.Int).Neg(limit), new(big.Int).Sub(limit, one)
}

func (s *shape) drawInteger(r *rand.Rand) *big.Int {
	least, greatest := limits(s.format)
	v := pick(r, new(big.Int), big.NewInt(1), big.NewInt(2), big.NewInt(10), big.NewInt(-1), big.NewInt(-10), big.NewInt(100),
		big.NewInt(1<<53), big.NewInt(1<<53+1), big.NewInt(r.Int64()), least, greatest,
		new(big.Int).Add(least, big.NewInt(1)), new(big.Int).Sub(greatest, big.NewInt(1)))
	if v.Cmp(least) < 0 || v.Cmp(greatest) > 0 {
		return big.NewInt(int64(r.IntN(100)))
	}
	return v
}

func (s *shape) drawNumber(r *rand.Rand) float64 {
	f := pick(r, 0, 1, -1, 0.1, 0.5, 1.5, 100, 1e20, 1e22, -2.5, 16777216, 16777217, 1<<53, 1<<53+2, r.NormFloat64(), r.Float64()*1e30,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, math.SmallestNonzeroFloat32)
	if oneIn(r, 3) && math.Abs(f) < 1e100 {
		f = math.Nextafter(f, math.Inf(pick(r, 1, -1)))
	}
	if s.format != "float" {
		return f
	}
	single := float64(float32(f))
	if math.IsInf(single, 0) {
		return 3
	}
	return single
}

func day(year, month, date int) time.Time {
	return time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
}

var dates = []time.Time{day(2024, 2, 29), day(2024, 3, 1), day(1, 1, 1), day(0, 1, 1), day(9999, 12, 31), day(1970, 1, 1), day(1969, 12, 31)}

func drawInstant(r *rand.Rand) time.Time {
	t := pick(r, dates[:2]...).Add(time.Duration(r.IntN(3)) * time.Hour)
	if oneIn(r, 6) {
		t = pick(r, day(1, 1, 1), day(1, 1, 2), day(1970, 1, 1), day(1969, 12, 31), day(9999, 12, 30))
	}
	return t.Add(time.Duration(pick(r, 0, 0, 1, 10, 999999999, 500000000, 123456789)))
}

// texts are strings that are told apart, or that one normalization or another makes
// the same.
var texts = []string{
	"", "a", "A", "b", "ab", " a", "a ", "\ta\n", "A ", " ", "\u00a0a", "é", "e\u0301", "E\u0301", "É", "ﬁ", "fi", "Å", "\u212b", "A\u030a",
	"😀", "\ufffd", "null", "\"", "\\", "/", "<a&b>", "\u2028", "\x00", "\u000b\u0085", "a,b", "a|b", "0", "1", "01", "1.0", "true",
	"2024-02-29", "a.b", "İ", "ı", "K", "\u212a", "ſ", "s", "Z", "z", "@[`{",
}

func (s *shape) drawText(r *rand.Rand) string {
	switch {
	case len(s.enum) > 0:
		return pick(r, s.enum...)
	case s.isEmail():
		return pick(r, "ada@example.com", "Ada <ada@example.com>", "\"A L\" <ada@example.com>", "<ada@example.com>", "bob@example.org", "Ada@example.com", "a.b@example.com")
	case s.in != "":
		return pick(r, s.sendable()...)
	case len(s.normalize) > 0 && s.normalize[len(s.normalize)-1] == model.Decimal && !oneIn(r, 3):
		return spellAnyDecimal(r, drawDecimal(r))
	case len(s.normalize) > 0 && oneIn(r, 2):
		return pick(r, "a", "A", "Z", "z", " a", "é", "É", "e\u0301", "E\u0301", "e\u0301 ", " \v\f\rE\u0301", "1", "1.0", " 1")
	case oneIn(r, 30):
		return string(make([]rune, r.IntN(3000)))
	default:
		return pick(r, texts...)
	}
}

// textsOf returns strings that can be sent in a place as they are.
func textsOf(in string) []string {
	switch in {
	case "path":
		return []string{"a", "A", "a b", "a/b", "é", "a%20b", "a+b", "1", "01", "a.b", "~", "a;b", "a:b", "a%", "?", "#"}
	case "header":
		return []string{"a", "A", "a b", "a/b", "é", "a%20b", "a+b", "1", "01", "a.b", "\"a\"", "a=b"}
	case "cookie":
		return []string{"a", "A", "a/b", "a+b", "1", "01", "a.b", "a:b", "a=b"}
	default:
		return []string{"", "a", "A", "a b", " a", "a/b", "é", "a%20b", "a+b", "1", "01", "a.b", "\"a\"", "a=b", "a&b", "\x00", "\n", "😀", "[", "#"}
	}
}

// sendable returns strings that do not fall apart where they are sent.
func (s *shape) sendable() []string {
	return slices.DeleteFunc(textsOf(s.in), func(text string) bool {
		return s.delimiter != "" && strings.Contains(text, s.delimiter)
	})
}

func drawDecimal(r *rand.Rand) decimal {
	digits := pick(r, "0", "1", "15", "100", "9007199254740993", "12345678901234567890123", "10005", strconv.FormatUint(r.Uint64(), 10))
	return newDecimal(oneIn(r, 3), digits, pick(r, 0, 0, 0, -1, 1, -2, 2, 7, -15, 30, -330, 400))
}

// drawFreeForm draws what JSON of any form may be, or a member of a union.
func (s *shape) drawFreeForm(r *rand.Rand) any {
	if s.union {
		return map[string]any{"kind": pick(r, s.component+"X", s.component+"Y"), "n": newDecimal(false, strconv.Itoa(r.IntN(3)), 0), pick(r, "b", "B", "more"): drawJSON(r, 2)}
	}
	for {
		if v := drawJSON(r, 3); v != nil { // null is a state
			return v
		}
	}
}

func drawJSON(r *rand.Rand, depth int) any {
	switch n := r.IntN(10); {
	case n < 3 && depth > 0:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, drawJSON(r, depth-1))
		}
		return list
	case n < 6 && depth > 0:
		object := map[string]any{}
		for range r.IntN(4) {
			object[pick(r, keys...)] = drawJSON(r, depth-1)
		}
		return object
	case n < 8:
		return drawDecimal(r)
	default:
		return pick[any](r, nil, true, false, "", "a", "A", "é", "e\u0301", "1", "😀", "\ufffd", "\x00", "\b\f\n\r\t\"\\/")
	}
}
