package spec

import "strings"

// Pointer is a parsed JSON pointer (RFC 6901): the unescaped names and indexes on the
// way from the root of a document to a value.
type Pointer []string

// Child returns the pointer extended by tokens. The receiver is not changed.
func (p Pointer) Child(tokens ...string) Pointer {
	return append(append(make(Pointer, 0, len(p)+len(tokens)), p...), tokens...)
}

// String returns the pointer in the notation of RFC 6901.
func (p Pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}

// parsePointer parses the notation of RFC 6901. It reports false if s does not begin
// with a slash.
func parsePointer(s string) (Pointer, bool) {
	if s == "" {
		return nil, true
	}
	rest, ok := strings.CutPrefix(s, "/")
	if !ok {
		return nil, false
	}
	p := Pointer(strings.Split(rest, "/"))
	for i := range p {
		p[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p[i])
	}
	return p, true
}
