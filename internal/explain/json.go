package explain

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/idemgen/idemgen/internal/diag"
)

// kind is what a JSON value is.
type kind int

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// String names the kind for a message.
func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// value is a JSON value as it was written. Nothing of it is lost: numbers keep
// their digits, and objects their order and their repeated members.
type value struct {
	kind    kind
	at      int      // offset in the source
	raw     string   // of what is no list and no object
	text    string   // of a string
	broken  bool     // of a string: it is not all Unicode
	items   []*value // of a list
	members []member // of an object
}

type member struct {
	name   string
	broken bool // the name is not all Unicode
	at     int
	value  *value
}

// source is a file with JSON in it.
type source struct {
	file string
	data string
}

// position returns the place of an offset.
func (s source) position(offset int) diag.Position {
	before := s.data[:min(offset, len(s.data))]
	start := strings.LastIndexByte(before, '\n') + 1
	return diag.Position{
		File:   s.file,
		Line:   strings.Count(before, "\n") + 1,
		Column: utf8.RuneCountInString(before[start:]) + 1,
	}
}

// parse reads a file that holds one JSON value.
func parse(s source) (*value, error) {
	p := parser{source: s}
	v, err := p.document()
	if err != nil {
		return nil, diag.List{*err}
	}
	return v, nil
}

// parser reads JSON as RFC 8259 defines it.
type parser struct {
	source
	at    int
	depth int
}

// deepest is how deep encoding/json follows values, and one for the request around
// the body.
const deepest = 10001

func (p *parser) document() (*value, *diag.Diagnostic) {
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.data) {
		return nil, p.fail("there is more than one JSON value")
	}
	return v, nil
}

func (p *parser) fail(format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(p.position(p.at), "mend the JSON", format, args...)
	return &d
}

func (p *parser) space() {
	for p.at < len(p.data) && strings.IndexByte(" \t\r\n", p.data[p.at]) >= 0 {
		p.at++
	}
}

// next returns the next byte that is no white space, or 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.at == len(p.data) {
		return 0
	}
	return p.data[p.at]
}

func (p *parser) value() (*value, *diag.Diagnostic) {
	if p.depth++; p.depth > deepest {
		return nil, p.fail("the value is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch c := p.next(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	default:
		return p.word()
	}
}

func (p *parser) word() (*value, *diag.Diagnostic) {
	for word, k := range map[string]kind{"null": null, "true": boolean, "false": boolean} {
		if strings.HasPrefix(p.data[p.at:], word) {
			v := &value{kind: k, at: p.at, raw: word}
			p.at += len(word)
			return v, nil
		}
	}
	if p.at == len(p.data) {
		return nil, p.fail("the file ends where a JSON value should be")
	}
	return nil, p.fail("a JSON value does not begin with %q", p.rune())
}

func (p *parser) rune() rune {
	r, _ := utf8.DecodeRuneInString(p.data[p.at:])
	return r
}

func (p *parser) number() (*value, *diag.Diagnostic) {
	start := p.at
	p.skip("-")
	whole := p.digits()
	if whole == 0 || whole > 1 && p.data[p.at-whole] == '0' {
		p.at -= whole
		return nil, p.fail("this is not a JSON number")
	}
	if p.skip(".") && p.digits() == 0 {
		return nil, p.fail("a digit is missing after the decimal point")
	}
	if p.skip("eE") {
		p.skip("+-")
		if p.digits() == 0 {
			return nil, p.fail("a digit is missing in the exponent")
		}
	}
	return &value{kind: number, at: start, raw: p.data[start:p.at]}, nil
}

// skip goes past the next byte if it is one of those.
func (p *parser) skip(bytes string) bool {
	if p.at == len(p.data) || strings.IndexByte(bytes, p.data[p.at]) < 0 {
		return false
	}
	p.at++
	return true
}

// digits skips digits and returns how many.
func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

func (p *parser) string() (*value, *diag.Diagnostic) {
	start := p.at
	for p.at++; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			raw := p.data[start:p.at]
			unquoted, broken := unquote(raw)
			return &value{kind: text, at: start, raw: raw, text: unquoted, broken: broken}, nil
		case c < ' ':
			return nil, p.fail("a control character stands in a string; write it as an escape")
		case c == '\\':
			if err := p.escape(); err != nil {
				return nil, err
			}
		}
	}
	p.at = start
	return nil, p.fail("the string does not end")
}

// escape stops at the last byte of an escape sequence.
func (p *parser) escape() *diag.Diagnostic {
	rest := p.data[p.at+1:]
	switch {
	case rest != "" && strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		p.at++
		return nil
	case len(rest) > 4 && rest[0] == 'u' && isHex(rest[1:5]):
		p.at += 5
		return nil
	}
	return p.fail("this is not an escape sequence of JSON")
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

func (p *parser) array() (*value, *diag.Diagnostic) {
	v := &value{kind: array, at: p.at}
	p.at++
	if p.next() == ']' {
		p.at++
		return v, nil
	}
	for {
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
		if done, err := p.more(']'); done || err != nil {
			return v, err
		}
	}
}

func (p *parser) object() (*value, *diag.Diagnostic) {
	v := &value{kind: object, at: p.at}
	p.at++
	if p.next() == '}' {
		p.at++
		return v, nil
	}
	for {
		m, err := p.member()
		if err != nil {
			return nil, err
		}
		v.members = append(v.members, m)
		if done, err := p.more('}'); done || err != nil {
			return v, err
		}
	}
}

func (p *parser) member() (member, *diag.Diagnostic) {
	if p.next() != '"' {
		return member{}, p.fail("the name of a member is missing")
	}
	name, err := p.string()
	if err != nil {
		return member{}, err
	}
	if p.next() != ':' {
		return member{}, p.fail("a colon is missing after %s", name.raw)
	}
	p.at++
	v, err := p.value()
	return member{name.text, name.broken, name.at, v}, err
}

// more skips what follows a member or element and reports whether it is the end.
func (p *parser) more(end byte) (done bool, err *diag.Diagnostic) {
	switch p.next() {
	case ',':
		p.at++
		return false, nil
	case end:
		p.at++
		return true, nil
	default:
		return false, p.fail("a comma or %q is missing", rune(end))
	}
}

// unquote returns the text of a string that was scanned. What is not Unicode, in
// UTF-8 or in surrogates, becomes U+FFFD as it does in Go, and is told.
func unquote(raw string) (string, bool) {
	raw = raw[1 : len(raw)-1]
	var b strings.Builder
	broken := false
	for raw != "" {
		r, size := utf8.DecodeRuneInString(raw)
		wrong := r == utf8.RuneError && size == 1
		if r == '\\' {
			r, size, wrong = unescape(raw)
		}
		b.WriteRune(r)
		broken = broken || wrong
		raw = raw[size:]
	}
	return b.String(), broken
}

// unescape returns the character of the escape sequence that s begins with, and
// its length. A surrogate without the other is wrong.
func unescape(s string) (r rune, size int, wrong bool) {
	if s[1] != 'u' {
		return rune(map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}[s[1]]), 2, false
	}
	r = unit(s)
	if !utf16.IsSurrogate(r) {
		return r, 6, false
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(r, unit(s[6:])); pair != utf8.RuneError {
			return pair, 12, false
		}
	}
	return utf8.RuneError, 6, true
}

// unit returns the UTF-16 code unit that s begins with: \u and four digits.
func unit(s string) rune {
	code, _ := strconv.ParseUint(s[2:6], 16, 16) // its digits were checked
	return rune(code)
}
