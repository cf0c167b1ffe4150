package fingerprint

import (
	"crypto/sha256"
	"testing"
)

func TestNormalized(t *testing.T) {
	all := Trim | Lower | NFC | Decimal
	for _, test := range []struct {
		text string
		n    Normalization
		want string
	}{
		{" \t\n\v\f\rA b\r ", Trim, "A b"},
		{"\u00a0a\u2003", Trim, "\u00a0a\u2003"},
		{"  ", Trim, ""},
		{"ÀZaz[@", Lower, "Àzaz[@"},
		{"\xffA", Lower, "\xffa"},
		{"e\u0301", NFC, "é"},
		{"é", NFC, "é"},
		{"\ufb01", NFC, "\ufb01"},
		{"\u212b", NFC, "Å"},
		{"1.50", Decimal, "15e-1"},
		{"1.50 EUR", Decimal, "1.50 EUR"},
		{" 1.50", Decimal, " 1.50"},
		{" 1.50", Decimal | Trim, "15e-1"},
		{"+1E2", Decimal, "1e2"},
		{"1.50", Trim | Lower | NFC, "1.50"},
		{" E\u0301X ", all, "éx"},
		{"-000", all, "0"},
	} {
		h := NewHasher("op", 1)
		h.Normalized(test.text, test.n)
		want := NewHasher("op", 1)
		want.String(test.want)
		if h.Sum() != want.Sum() {
			t.Errorf("%q under %d is not %q", test.text, test.n, test.want)
		}
	}
}

// ASCII letters are lowered before composition, so that É is not é but E\u0301 is.
func TestNormalizedOrder(t *testing.T) {
	h := NewHasher("op", 1)
	h.Normalized("E\u0301", Lower|NFC)
	if got := h.Sum().Sum; got != sha256.Sum256([]byte(prefix+"s\x02é")) {
		t.Errorf("got %x", got)
	}
}

func TestNormalizedAllocatesNothing(t *testing.T) {
	for _, text := range []string{"already@example.com", "größe", "1.50", "-12345678901234567890.00001e-7"} {
		if n := testing.AllocsPerRun(100, func() {
			h := NewHasher("op", 1)
			h.Normalized(text, Trim|Lower|NFC|Decimal)
			h.Sum()
		}); n != 0 {
			t.Errorf("%q: got %v allocations, want none", text, n)
		}
	}
}
