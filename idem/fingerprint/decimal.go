package fingerprint

import (
	"bytes"
	"strconv"
	"strings"
)

// decimal is a decimal number of any length as it is written, in parts.
type decimal struct {
	negative bool
	before   string // digits before the point, without leading zeros
	after    string // digits after the point, without trailing zeros
	exponent string // digits with an optional sign, "" for none
}

// parseDecimal reads [+-]?digits[.digits]?([eE][+-]?digits)?. It allocates
// nothing.
func parseDecimal(s string) (decimal, bool) {
	unsigned := withoutSign(s)
	d := decimal{negative: strings.HasPrefix(s, "-")}
	n := digits(unsigned)
	if n == 0 {
		return decimal{}, false
	}
	d.before, s = strings.TrimLeft(unsigned[:n], "0"), unsigned[n:]
	if s != "" && s[0] == '.' {
		n = digits(s[1:])
		if n == 0 {
			return decimal{}, false
		}
		d.after, s = strings.TrimRight(s[1:1+n], "0"), s[1+n:]
	}
	if s == "" {
		return d, true
	}
	d.exponent = s[1:]
	unsigned = withoutSign(d.exponent)
	return d, (s[0] == 'e' || s[0] == 'E') && unsigned != "" && digits(unsigned) == len(unsigned)
}

func withoutSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// digits returns how many digits s begins with.
func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// appendTo appends the one canonical spelling of the number: "0", or an optional
// "-", the digits without zeros at either end, "e" and the decimal exponent.
func (d decimal) appendTo(text []byte) []byte {
	if d.before == "" && d.after == "" {
		return append(text, '0')
	}
	if d.negative {
		text = append(text, '-')
	}
	start, shift := len(text), -len(d.after)
	if d.after == "" {
		whole := strings.TrimRight(d.before, "0")
		shift = len(d.before) - len(whole)
		text = append(text, whole...)
	} else {
		text = append(text, d.before...)
		after := d.after
		if len(text) == start {
			after = strings.TrimLeft(after, "0")
		}
		text = append(text, after...)
	}
	return appendSum(append(text, 'e'), d.exponent, int64(shift))
}

// safeDigits is how many decimal digits any int64 holds with room to spare.
const safeDigits = 17

// appendSum appends the sum of exponent, which may be longer than any integer
// type holds, and shift, which is far smaller than 10^safeDigits.
func appendSum(text []byte, exponent string, shift int64) []byte {
	negative := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
	switch {
	case exponent == "":
		return strconv.AppendInt(text, shift, 10)
	case len(exponent) <= safeDigits:
		n, _ := strconv.ParseInt(exponent, 10, 64) // digits that fit
		if negative {
			n = -n
		}
		return strconv.AppendInt(text, n+shift, 10)
	}
	if negative {
		text = append(text, '-')
		shift = -shift
	}
	return appendLongSum(text, exponent, shift)
}

// appendLongSum appends a long natural number plus shift. The last digits are
// added as an integer, and what is carried goes through those before.
func appendLongSum(text []byte, long string, shift int64) []byte {
	const unit = 1e17 // 10^safeDigits
	cut := len(long) - safeDigits
	low, _ := strconv.ParseInt(long[cut:], 10, 64)
	low += shift
	start := len(text)
	text = append(text, '0')
	text = append(text, long[:cut]...)
	switch {
	case low >= unit:
		low -= unit
		carry(text[start:], '9', '0', 1)
	case low < 0:
		low += unit
		carry(text[start:], '0', '9', -1)
	}
	text = append(text, strconv.FormatInt(unit+low, 10)[1:]...)
	return append(text[:start], bytes.TrimLeft(text[start:], "0")...)
}

// carry adds step to the last digit that is not full, and turns the full ones
// after it.
func carry(number []byte, full, turned byte, step int) {
	for i := len(number) - 1; i >= 0; i-- {
		if number[i] != full {
			number[i] = byte(int(number[i]) + step)
			return
		}
		number[i] = turned
	}
}
