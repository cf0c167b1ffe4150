package naming

import (
	"strings"
	"unicode"
)

// initialisms are words that Go writes in capitals.
var initialisms = words(`
	ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS
	RPC SLA SMTP SQL SSH TCP TLS TTL UDP UI UID URI URL UTF8 UUID VM XML XMPP XSRF XSS`)

// Exported returns the exported Go identifier for a name in any notation: "tenant_id",
// "tenantId" and "tenant-id" all give "TenantID". A name that does not start with a
// letter gets the prefix N.
func Exported(name string) string {
	var b strings.Builder
	for _, word := range split(name) {
		b.WriteString(capitalized(word))
	}
	identifier := b.String()
	if identifier == "" || !unicode.IsLetter(rune(identifier[0])) {
		return "N" + identifier
	}
	return identifier
}

// Unexported returns the unexported form of [Exported]: "tenantID", "apiKey". It may
// be a keyword; callers must append a word.
func Unexported(name string) string {
	return LowerFirst(Exported(name))
}

// LowerFirst converts an exported Go identifier to an unexported one and keeps the
// rest unchanged: "CreateOrder" → "createOrder", "HTTPCall" → "httpCall".
func LowerFirst(identifier string) string {
	runes := []rune(identifier)
	end := 0
	for end < len(runes) && unicode.IsUpper(runes[end]) {
		end++
	}
	if end > 1 && end < len(runes) && unicode.IsLower(runes[end]) {
		end-- // the last capital starts the next word
	}
	for i := range end {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// split splits a name into words: at everything but ASCII letters and digits, and
// where a capital starts a word.
func split(name string) []string {
	var parts []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			parts = append(parts, name[start:end])
		}
		start = -1
	}
	for i := range len(name) {
		switch {
		case !isLetter(name[i]) && !isDigit(name[i]):
			flush(i)
			continue
		case start >= 0 && startsWord(name, i):
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(name))
	return parts
}

// startsWord reports whether the capital at i starts a word: "tenantId" at I,
// "HTTPCall" at C.
func startsWord(name string, i int) bool {
	if !isUpper(name[i]) {
		return false
	}
	if !isUpper(name[i-1]) {
		return true
	}
	return i+1 < len(name) && isLower(name[i+1])
}

func capitalized(word string) string {
	if upper := strings.ToUpper(word); initialisms[upper] {
		return upper
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func isLetter(c byte) bool { return isUpper(c) || isLower(c) }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
