package fingerprint

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Normalization is what a string undergoes before it is hashed. Several are
// joined with | and apply in the order of the constants.
type Normalization uint8

// The normalizations.
const (
	Trim    Normalization = 1 << iota // without ASCII white space at both ends
	Lower                             // ASCII letters in lower case
	NFC                               // Unicode normalisation form C
	Decimal                           // a decimal number by its value: 1.50 = 1.5 = 15e-1; other text as it is
)

// Normalized adds a string after n. It allocates only where that changes the
// string.
func (h *Hasher) Normalized(v string, n Normalization) {
	if n&Trim != 0 {
		v = strings.Trim(v, " \t\n\v\f\r")
	}
	if n&Lower != 0 {
		v = lowerASCII(v)
	}
	if n&NFC != 0 {
		v = norm.NFC.String(v)
	}
	if n&Decimal != 0 {
		if d, ok := parseDecimal(v); ok {
			h.tag(tagString)
			h.decimal(d)
			return
		}
	}
	h.String(v)
}

// lowerASCII returns s with A–Z in lower case.
func lowerASCII(s string) string {
	upper := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	for i := range len(s) {
		if !upper(s[i]) {
			continue
		}
		lower := []byte(s)
		for ; i < len(lower); i++ {
			if upper(lower[i]) {
				lower[i] += 'a' - 'A'
			}
		}
		return string(lower)
	}
	return s
}

// decimal adds the canonical spelling of a number as a text.
func (h *Hasher) decimal(d decimal) {
	var text [64]byte
	h.octets(d.appendTo(text[:0]))
}
