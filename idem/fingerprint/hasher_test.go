package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"
)

const prefix = "\x15idemgen/fingerprint/1" + "\x02op" + "\x01"

// The encoding, spelt out.
func TestHasherEncoding(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	for name, test := range map[string]struct {
		add  func(h *Hasher)
		want string // after the prefix
	}{
		"nothing":      {func(*Hasher) {}, ""},
		"field":        {func(h *Hasher) { h.Field("body.a"); h.Absent() }, "F\x06body.a-"},
		"skip":         {func(h *Hasher) { h.Skip("a", "b") }, "F\x01a-F\x01b-"},
		"null":         {func(h *Hasher) { h.Null() }, "0"},
		"true":         {func(h *Hasher) { h.Bool(true) }, "b\x01"},
		"false":        {func(h *Hasher) { h.Bool(false) }, "b\x00"},
		"int":          {func(h *Hasher) { h.Int(math.MinInt64) }, "i\x14-9223372036854775808"},
		"2^53+1":       {func(h *Hasher) { h.Int(1<<53 + 1) }, "i\x109007199254740993"},
		"big":          {func(h *Hasher) { h.BigInt(new(big.Int).Lsh(big.NewInt(1), 64)) }, "i\x1418446744073709551616"},
		"big is int":   {func(h *Hasher) { h.BigInt(big.NewInt(-7)) }, "i\x02-7"},
		"float":        {func(h *Hasher) { h.Float(1.5) }, "d\x3f\xf8\x00\x00\x00\x00\x00\x00"},
		"minus zero":   {func(h *Hasher) { h.Float(math.Copysign(0, -1)) }, "d\x00\x00\x00\x00\x00\x00\x00\x00"},
		"string":       {func(h *Hasher) { h.String("ä") }, "s\x02ä"},
		"empty":        {func(h *Hasher) { h.String("") }, "s\x00"},
		"long string":  {func(h *Hasher) { h.String(strings.Repeat("x", 300)) }, "s\xac\x02" + strings.Repeat("x", 300)},
		"bytes":        {func(h *Hasher) { h.Bytes([]byte{0, 255}) }, "y\x02\x00\xff"},
		"time":         {func(h *Hasher) { h.Time(time.Date(1970, 1, 1, 2, 0, 1, 300, zone)) }, "t\x011\xac\x02"},
		"before epoch": {func(h *Hasher) { h.Time(time.Unix(-1, 0)) }, "t\x02-1\x00"},
		"date":         {func(h *Hasher) { h.Date(time.Date(2024, 2, 29, 0, 0, 0, 0, zone)) }, "D\x0a2024-02-29"},
		"uuid":         {func(h *Hasher) { h.UUID([16]byte{15: 1}) }, "u" + strings.Repeat("\x00", 15) + "\x01"},
		"list": {func(h *Hasher) {
			h.List(2)
			h.Int(1)
			h.Field("sku")
			h.String("a")
		}, "[\x02i\x011F\x03skus\x01a"},
		"map": {func(h *Hasher) {
			h.Map(1)
			h.Key("k")
			h.Bool(true)
		}, "{\x01\x01kb\x01"},
		"beyond the buffer": {func(h *Hasher) {
			for range 3 {
				h.String(strings.Repeat("y", 1000))
			}
		}, strings.Repeat("s\xe8\x07"+strings.Repeat("y", 1000), 3)},
	} {
		t.Run(name, func(t *testing.T) {
			h := NewHasher("op", 1)
			test.add(&h)
			want := Fingerprint{Version: 1, Sum: sha256.Sum256([]byte(prefix + test.want))}
			if got := h.Sum(); got != want {
				t.Errorf("got %x, want the hash of %q", got.Sum, prefix+test.want)
			}
		})
	}
}

// A vector for other implementations: computed once, never to change.
func TestHasherVector(t *testing.T) {
	const want = "1efa3dcb64f2bad9aacde27e84a1c25880c82bc43b1000a9903253e932c4f931"
	if got := orderFingerprint(); hex.EncodeToString(got.Sum[:]) != want {
		t.Errorf("got %x, want %s", got.Sum, want)
	}
}

// orderFingerprint is what generated code does for a small request.
func orderFingerprint() Fingerprint {
	h := NewHasher("createOrder", 1)
	h.Field("body.amount")
	h.Int(1299)
	h.Field("body.currency")
	h.String("EUR")
	h.Field("body.express")
	h.Bool(false)
	h.Field("body.placed_at")
	h.Time(time.Unix(1700000000, 123456789))
	h.Field("body.note")
	h.Absent()
	h.Field("path.shop")
	h.UUID([16]byte{1, 2, 3})
	return h.Sum()
}

// Sequences that look alike when written one after another are told apart.
func TestHasherIsInjective(t *testing.T) {
	seen := map[[32]byte]string{}
	for name, h := range map[string]func(h *Hasher){
		"a=x, b=''":    func(h *Hasher) { h.Field("a"); h.String("x"); h.Field("b"); h.String("") },
		"a='', b=x":    func(h *Hasher) { h.Field("a"); h.String(""); h.Field("b"); h.String("x") },
		"a='xF\\x01b'": func(h *Hasher) { h.Field("a"); h.String("xF\x01b") },
		"a=absent":     func(h *Hasher) { h.Field("a"); h.Absent() },
		"a=null":       func(h *Hasher) { h.Field("a"); h.Null() },
		"a=''":         func(h *Hasher) { h.Field("a"); h.String("") },
		"a='-'":        func(h *Hasher) { h.Field("a"); h.String("-") },
		"a=[]":         func(h *Hasher) { h.Field("a"); h.List(0) },
		"a={}":         func(h *Hasher) { h.Field("a"); h.Map(0) },
		"a=[[]]":       func(h *Hasher) { h.Field("a"); h.List(1); h.List(0) },
		"a=[1,2]":      func(h *Hasher) { h.Field("a"); h.List(2); h.Int(1); h.Int(2) },
		"a=[12]":       func(h *Hasher) { h.Field("a"); h.List(1); h.Int(12) },
		"a=12":         func(h *Hasher) { h.Field("a"); h.Int(12) },
		"a='12'":       func(h *Hasher) { h.Field("a"); h.String("12") },
		"a=12.0":       func(h *Hasher) { h.Field("a"); h.Float(12) },
		"a=bytes 12":   func(h *Hasher) { h.Field("a"); h.Bytes([]byte("12")) },
		"a=true":       func(h *Hasher) { h.Field("a"); h.Bool(true) },
		"a=1":          func(h *Hasher) { h.Field("a"); h.Int(1) },
		"a=2^53":       func(h *Hasher) { h.Field("a"); h.Int(1 << 53) },
		"a=2^53+1":     func(h *Hasher) { h.Field("a"); h.Int(1<<53 + 1) },
		"a=max":        func(h *Hasher) { h.Field("a"); h.Int(math.MaxInt64) },
		"a=max-1":      func(h *Hasher) { h.Field("a"); h.Int(math.MaxInt64 - 1) },
		"a={k:1}":      func(h *Hasher) { h.Field("a"); h.Map(1); h.Key("k"); h.Int(1) },
		"a=[{k:1}]":    func(h *Hasher) { h.Field("a"); h.List(1); h.Field("k"); h.Int(1) },
		"a=[{k:1},{l:1}]": func(h *Hasher) {
			h.Field("a")
			h.List(2)
			h.Field("k")
			h.Int(1)
			h.Field("l")
			h.Int(1)
		},
		"date":           func(h *Hasher) { h.Field("a"); h.Date(time.Unix(0, 0).UTC()) },
		"date as string": func(h *Hasher) { h.Field("a"); h.String("1970-01-01") },
		"time":           func(h *Hasher) { h.Field("a"); h.Time(time.Unix(0, 0)) },
		"time + 1 ns":    func(h *Hasher) { h.Field("a"); h.Time(time.Unix(0, 1)) },
	} {
		hasher := NewHasher("op", 1)
		h(&hasher)
		sum := hasher.Sum().Sum
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s are the same", name, other)
		}
		seen[sum] = name
	}
	for _, h := range []Hasher{NewHasher("op", 1), NewHasher("op", 2), NewHasher("op2", 1), NewHasher("", 1)} {
		sum := h.Sum().Sum
		if _, ok := seen[sum]; ok {
			t.Error("another name or version has the same fingerprint")
		}
		seen[sum] = "domain"
	}
}

// However an encoding is cut by the buffer, it is the same.
func FuzzHasherBuffer(f *testing.F) {
	f.Add([]byte("abc"), uint16(1020))
	f.Add(bytes.Repeat([]byte("x"), 2000), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, before uint16) {
		first := strings.Repeat("p", int(before%4096))
		h := NewHasher("op", 1)
		h.String(first)
		h.Bytes(data)
		h.Bool(true)
		want := &bytes.Buffer{}
		want.WriteString(prefix + "s")
		writeText(want, first)
		want.WriteString("y")
		writeText(want, string(data))
		want.WriteString("b\x01")
		if got := h.Sum().Sum; got != sha256.Sum256(want.Bytes()) {
			t.Errorf("got %x for %d and %d bytes", got, len(first), len(data))
		}
	})
}

func writeText(b *bytes.Buffer, s string) {
	for n := len(s); ; n >>= 7 {
		if n < 0x80 {
			b.WriteByte(byte(n))
			break
		}
		b.WriteByte(byte(n) | 0x80)
	}
	b.WriteString(s)
}

func TestHasherAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { orderFingerprint() }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func BenchmarkHasher(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		orderFingerprint()
	}
}

func BenchmarkHasherItems(b *testing.B) {
	for _, n := range []int{1, 10, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h := NewHasher("createOrder", 1)
				h.Field("body.items")
				h.List(n)
				for range n {
					h.Field("quantity")
					h.Int(1)
					h.Field("sku")
					h.String("A-0815")
				}
				h.Sum()
			}
		})
	}
}

// Vectors for the encodings of more than one value: never to change either.
func TestHasherVectors(t *testing.T) {
	for name, test := range map[string]struct {
		add  func(h *Hasher)
		want string
	}{
		"multiset": {func(h *Hasher) {
			h.Multiset(2)
			for _, sku := range []string{"b", "a"} {
				h.Element()
				h.Field("sku")
				h.String(sku)
			}
			h.EndMultiset()
		}, "f61237cb8df5322411f8b8871b3e2ade633dfe9a8210191677d6d1d36772914d"},
		"json":       {func(h *Hasher) { h.JSON([]byte(`{"b":[1.50,true,null],"a":"\u00e4"}`)) }, "aaf592158fcf97fdbddb6d1bfba29360de1a020014a563b0896ee40ea12cd046"},
		"normalized": {func(h *Hasher) { h.Normalized(" E\u0301 ", Trim|Lower|NFC) }, "28692d8cbd3a1eed76548146cfcad43302f5703ca785ed72c9accca1176c671e"},
		"decimal":    {func(h *Hasher) { h.Normalized("1.50", Decimal) }, "bd8d3bb5656b0650cb3be7e39760801debe536cdd17c3b6eb28f6d06e0d32af9"},
		"nan":        {func(h *Hasher) { h.Float(math.NaN()) }, "89e3e4131eb5c7e236a04f9c481d06d37d2bc5b7039c3735fb49bf9381c41bbc"},
	} {
		h := NewHasher("createOrder", 1)
		h.Field("body.value")
		test.add(&h)
		if got := h.Sum(); hex.EncodeToString(got.Sum[:]) != test.want {
			t.Errorf("%s: got %x, want %s", name, got.Sum, test.want)
		}
	}
}

// A request that needs a body and has none has no fingerprint, and keeps the first
// reason where there is another.
func TestHasherNoBody(t *testing.T) {
	h := NewHasher("createOrder", 1)
	h.NoBody()
	h.JSON([]byte(`{`))
	if f := h.Sum(); f.err != errNoBody { //nolint:errorlint // a constant
		t.Errorf("got %v", f.err)
	}
}
