package explain

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// leaf is a value without parts.
type leaf interface {
	// encode returns tag and payload.
	encode() []byte
	// show returns the value for people, in one spelling.
	show() string
}

type (
	boolLeaf    bool
	integerLeaf string // decimal digits
	floatLeaf   float64
	stringLeaf  string
	bytesLeaf   []byte
	dateLeaf    string // "2006-01-02"
	uuidLeaf    [16]byte
	instantLeaf struct {
		seconds     int64 // since 1970
		nanoseconds uint64
	}
	jsonLeaf struct{ value *value }
)

func (l boolLeaf) encode() []byte {
	if l {
		return []byte{'b', 1}
	}
	return []byte{'b', 0}
}

func (l boolLeaf) show() string { return strconv.FormatBool(bool(l)) }

func (l integerLeaf) encode() []byte { return appendText([]byte{'i'}, string(l)) }
func (l integerLeaf) show() string   { return string(l) }

func (l floatLeaf) encode() []byte {
	bits := math.Float64bits(float64(l))
	switch {
	case l == 0:
		bits = 0 // also for -0
	case math.IsNaN(float64(l)):
		bits = 0x7ff8000000000000
	}
	return binary.BigEndian.AppendUint64([]byte{'d'}, bits)
}

func (l floatLeaf) show() string {
	if l == 0 {
		return "0"
	}
	return strconv.FormatFloat(float64(l), 'g', -1, 64)
}

func (l stringLeaf) encode() []byte { return appendText([]byte{'s'}, string(l)) }
func (l stringLeaf) show() string   { return quote(string(l)) }

func (l bytesLeaf) encode() []byte { return appendText([]byte{'y'}, string(l)) }
func (l bytesLeaf) show() string   { return quote(base64.StdEncoding.EncodeToString(l)) }

func (l dateLeaf) encode() []byte { return appendText([]byte{'D'}, string(l)) }
func (l dateLeaf) show() string   { return string(l) }

func (l uuidLeaf) encode() []byte { return append([]byte{'u'}, l[:]...) }

func (l uuidLeaf) show() string {
	digits := hex.EncodeToString(l[:])
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

func (l instantLeaf) encode() []byte {
	out := appendText([]byte{'t'}, strconv.FormatInt(l.seconds, 10))
	return appendCount(out, l.nanoseconds)
}

func (l instantLeaf) show() string {
	return time.Unix(l.seconds, int64(l.nanoseconds)).UTC().Format(time.RFC3339Nano)
}

func (l jsonLeaf) encode() []byte { return appendJSON([]byte{'j'}, l.value) } // never null
func (l jsonLeaf) show() string   { return showJSON(l.value) }

func instantOf(t time.Time) instantLeaf {
	return instantLeaf{t.Unix(), uint64(t.Nanosecond())}
}

// zeroLeaf is what a Go variable of that kind holds before anything is decoded.
func zeroLeaf(k model.Kind) leaf {
	switch k {
	case model.Boolean:
		return boolLeaf(false)
	case model.Integer:
		return integerLeaf("0")
	case model.Number:
		return floatLeaf(0)
	case model.Date:
		return dateLeaf("0001-01-01")
	case model.Instant:
		return instantOf(time.Time{})
	case model.UUID:
		return uuidLeaf{}
	default:
		return stringLeaf("")
	}
}

// appendCount appends an unsigned integer in groups of seven bits, the lowest
// first, each but the last with the eighth bit set.
func appendCount(out []byte, n uint64) []byte {
	for ; n > 0x7f; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// appendText appends the length of s in bytes, and s.
func appendText(out []byte, s string) []byte {
	return append(appendCount(out, uint64(len(s))), s...)
}
