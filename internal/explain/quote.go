package explain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// quote writes a string as JSON. What does not print is escaped, so that it can be
// shown.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			writeEscape(&b, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// writeEscape writes a character as an escape sequence of JSON.
func writeEscape(b *strings.Builder, r rune) {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}
