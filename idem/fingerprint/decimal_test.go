package fingerprint

import (
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func canonical(s string) string {
	d, ok := parseDecimal(s)
	if !ok {
		return "?"
	}
	return string(d.appendTo(nil))
}

func TestDecimal(t *testing.T) {
	nines := strings.Repeat("9", 20)
	for s, want := range map[string]string{
		"0": "0", "-0": "0", "+0": "0", "0.00": "0", "0e5": "0", "00": "0", "0e99999999999999999999": "0",
		"1": "1e0", "+1": "1e0", "-1": "-1e0", "01": "1e0", "10": "1e1", "100": "1e2", "1.50": "15e-1", "1.5": "15e-1", "15e-1": "15e-1",
		"0.05": "5e-2", "10.50": "105e-1", "0.050e2": "5e0", "100e-2": "1e0", "1E+2": "1e2", "1e-0": "1e0", "1.0": "1e0",
		"9007199254740993": "9007199254740993e0", "9007199254740993.0": "9007199254740993e0", "90071992547409930e-1": "9007199254740993e0",
		"1e99999999999999999": "1e99999999999999999", "1e099999999999999999": "1e99999999999999999",
		"10e99999999999999999": "1e100000000000000000", "10e999999999999999999": "1e1000000000000000000",
		"0.1e1000000000000000000": "1e999999999999999999", "0.01e-999999999999999999999": "1e-1000000000000000000001",
		"100e-1000000000000000000001": "1e-999999999999999999999",
		"1e" + nines:                  "1e" + nines, "10e" + nines: "1e1" + strings.Repeat("0", 20), "1e-" + nines: "1e-" + nines,
		"": "?", "+": "?", ".5": "?", "5.": "?", "1e": "?", "1e+": "?", "1e1.5": "?", " 1": "?", "1 ": "?", "1,5": "?", "0x10": "?", "1_0": "?",
		"NaN": "?", "Inf": "?", "--1": "?", "+-1": "?", "1f": "?", "1e5x": "?", "١": "?",
	} {
		if got := canonical(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

// Equal numbers are spelt alike, others are not, and the spelling is canonical.
func FuzzDecimal(f *testing.F) {
	f.Add("1.50", "15e-1")
	f.Add("-0", "0.0e7")
	f.Add("1e300", "10e299")
	f.Add("0.0001e-17", "1e-21")
	syntax := regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	small := regexp.MustCompile(`[eE][+-]?0*[0-9]{1,3}$|^[^eE]*$`)
	spelling := regexp.MustCompile(`^(0|-?[1-9]([0-9]*[1-9])?e(0|-?[1-9][0-9]*))$`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := canonical(a), canonical(b)
		if syntax.MatchString(a) != (x != "?") {
			t.Fatalf("%q: got %s", a, x)
		}
		if x == "?" {
			return
		}
		if !spelling.MatchString(x) || canonical(x) != x {
			t.Fatalf("%q: got %s", a, x)
		}
		if y == "?" || !small.MatchString(a) || !small.MatchString(b) {
			return
		}
		p, _ := new(big.Rat).SetString(a)
		q, _ := new(big.Rat).SetString(b)
		if (p.Cmp(q) == 0) != (x == y) {
			t.Errorf("%q and %q: got %s and %s", a, b, x, y)
		}
	})
}
