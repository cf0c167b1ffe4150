package fingerprint_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// What generated code calls in its own package allocates nothing: there the compiler
// inlines other calls than here.
func TestHasherAllocatesNothingElsewhere(t *testing.T) {
	some := "text"
	absent := (*string)(nil)
	at, id, octets := time.Unix(1, 2), [16]byte{1}, []byte{1}
	digest := func(text *string) fingerprint.Fingerprint {
		h := fingerprint.NewHasher("operation", 1)
		h.Field("bool").Bool(true)
		h.Field("string")
		if v := text; v != nil {
			h.String(*v)
		} else {
			h.Absent()
		}
		h.Field("null")
		h.Null()
		h.Field("int")
		h.Int(math.MinInt64)
		h.Field("float")
		h.Float(0.1)
		h.Field("bytes")
		h.Bytes(octets)
		h.Field("time")
		h.Time(at)
		h.Field("date")
		h.Date(at)
		h.Field("uuid")
		h.UUID(id)
		h.Skip("a", "b")
		h.Field("normalized")
		h.Normalized("1.50", fingerprint.Trim|fingerprint.Lower|fingerprint.NFC|fingerprint.Decimal)
		h.Field("list")
		h.List(1)
		h.Bool(false)
		h.Field("map")
		h.Map(1)
		h.Key("k")
		h.Absent()
		return h.Sum()
	}
	for _, text := range []*string{&some, absent} {
		if n := testing.AllocsPerRun(100, func() { digest(text) }); n != 0 {
			t.Errorf("got %v allocations, want none", n)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		h := fingerprint.NewHasher("operation", 1)
		h.BigInt(big.NewInt(1))
		h.Sum()
	}); n > 1 {
		t.Errorf("a big integer: got %v allocations, want at most its digits", n)
	}
}
