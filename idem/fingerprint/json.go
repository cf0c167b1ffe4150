package fingerprint

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// What free-form JSON is refused for. Whoever reads it may see another value
// than who reads it elsewhere, so that no fingerprint would be true.
const (
	errDuplicateMember Error = "free-form JSON has a member twice"
	errNoUnicode       Error = "free-form JSON has text that is not Unicode"
	errNoJSON          Error = "free-form JSON does not parse"
	errDeepJSON        Error = "free-form JSON is nested too deeply"
)

// maxDepth is how deeply encoding/json lets values nest.
const maxDepth = 10000

// jsonValue is one value of a document. Values are in the document's order, so
// that what an array or object holds follows it.
type jsonValue struct {
	text  string // of a string, unescaped; of a number, as it is written
	key   string // of an object's member, unescaped
	count int    // of an array or object
	next  int    // the index of what follows after the value and all that it holds
	tag   byte   // as in the encoding
	truth bool
}

// jsonReader reads one document.
type jsonReader struct {
	text   string
	at     int
	values []jsonValue
}

// parseJSON reads a JSON document.
func parseJSON(text []byte) ([]jsonValue, error) {
	r := jsonReader{text: string(text)}
	if err := r.value("", 0); err != nil {
		return nil, err
	}
	r.space()
	if r.at != len(r.text) {
		return nil, errNoJSON
	}
	return r.values, nil
}

func (r *jsonReader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// skip goes past c, with white space before it, if it stands here.
func (r *jsonReader) skip(c byte) bool {
	r.space()
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

// value reads a value that is a member under key, if it is one.
func (r *jsonReader) value(key string, depth int) error {
	if depth > maxDepth {
		return errDeepJSON
	}
	index := len(r.values)
	r.values = append(r.values, jsonValue{key: key})
	v, err := r.content(index, depth)
	if err != nil {
		return err
	}
	v.key, v.next = key, len(r.values)
	r.values[index] = v
	return nil
}

func (r *jsonReader) content(index, depth int) (v jsonValue, err error) {
	switch {
	case r.skip('{'):
		v.tag = tagMap
		v.count, err = r.items('}', func() error { return r.member(depth + 1) })
		if err == nil && r.hasDuplicates(index, v.count) {
			err = errDuplicateMember
		}
	case r.skip('['):
		v.tag = tagList
		v.count, err = r.items(']', func() error { return r.value("", depth+1) })
	case r.skip('"'):
		v.tag = tagString
		v.text, err = r.string()
	case r.word("null"):
		v.tag = tagNull
	case r.word("true"):
		v.tag, v.truth = tagBool, true
	case r.word("false"):
		v.tag = tagBool
	default:
		v.tag = tagNumber
		v.text, err = r.number()
	}
	return v, err
}

// items reads what an array or object holds, up to its end.
func (r *jsonReader) items(end byte, item func() error) (n int, err error) {
	if r.skip(end) {
		return 0, nil
	}
	for {
		if err := item(); err != nil {
			return 0, err
		}
		n++
		if r.skip(end) {
			return n, nil
		}
		if !r.skip(',') {
			return 0, errNoJSON
		}
	}
}

func (r *jsonReader) member(depth int) error {
	if !r.skip('"') {
		return errNoJSON
	}
	key, err := r.string()
	if err != nil {
		return err
	}
	if !r.skip(':') {
		return errNoJSON
	}
	return r.value(key, depth)
}

func (r *jsonReader) word(word string) bool {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

// number reads a number.
func (r *jsonReader) number() (string, error) {
	start := r.at
	for r.at < len(r.text) && isNumberByte(r.text[r.at]) {
		r.at++
	}
	text := r.text[start:r.at]
	unsigned := strings.TrimPrefix(text, "-")
	_, ok := parseDecimal(text)
	padded := ok && unsigned[0] == '0' && digits(unsigned) > 1
	if !ok || padded || text[0] == '+' {
		return "", errNoJSON
	}
	return text, nil
}

func isNumberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// string reads what follows a quotation mark, up to the next one.
func (r *jsonReader) string() (string, error) {
	start := r.at
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return validText(r.text[start : r.at-1])
		case c == '\\':
			return r.escaped([]byte(r.text[start:r.at]))
		case c < ' ':
			return "", errNoJSON
		}
		r.at++
	}
	return "", errNoJSON
}

func validText(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", errNoUnicode
	}
	return text, nil
}

// escaped reads the rest of a string that has escapes, after what is read of it.
func (r *jsonReader) escaped(text []byte) (string, error) {
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			return validText(string(text))
		case c < ' ':
			return "", errNoJSON
		case c != '\\':
			text = append(text, c)
			continue
		}
		char, err := r.escape()
		if err != nil {
			return "", err
		}
		text = utf8.AppendRune(text, char)
	}
	return "", errNoJSON
}

// escape reads what follows a backslash.
func (r *jsonReader) escape() (rune, error) {
	if r.at == len(r.text) {
		return 0, errNoJSON
	}
	c := r.text[r.at]
	r.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return r.codePoint()
	}
	return 0, errNoJSON
}

// codePoint reads the digits of one \u, or of the two that make a surrogate pair.
func (r *jsonReader) codePoint() (rune, error) {
	first, ok := r.hex()
	if !ok {
		return 0, errNoJSON
	}
	if !utf16.IsSurrogate(first) {
		return first, nil
	}
	if !r.word(`\u`) {
		return 0, errNoUnicode
	}
	second, ok := r.hex()
	if !ok {
		return 0, errNoJSON
	}
	if char := utf16.DecodeRune(first, second); char != utf8.RuneError {
		return char, nil
	}
	return 0, errNoUnicode
}

func (r *jsonReader) hex() (char rune, ok bool) {
	if len(r.text)-r.at < 4 {
		return 0, false
	}
	for _, c := range []byte(r.text[r.at : r.at+4]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		char = char<<4 | rune(c)
	}
	r.at += 4
	return char, true
}

// hasDuplicates reports whether two of an object's n members have one name.
func (r *jsonReader) hasDuplicates(index, n int) bool {
	if n < 2 {
		return false
	}
	names := make([]string, 0, n)
	for i := index + 1; i < len(r.values); i = r.values[i].next {
		names = append(names, r.values[i].key)
	}
	slices.Sort(names)
	return len(slices.Compact(names)) < n
}

// members returns the indices of an object's members in the order of their names.
func members(values []jsonValue, index int) []int {
	indices := make([]int, 0, values[index].count)
	for i := index + 1; i < values[index].next; i = values[i].next {
		indices = append(indices, i)
	}
	slices.SortFunc(indices, func(a, b int) int { return cmp.Compare(values[a].key, values[b].key) })
	return indices
}

// JSON adds a JSON document by what it says: numbers exactly, members by name.
// A nil one is absent. One that can be read in more than one way, because a
// member is there twice or a text is not Unicode, leaves the request without a
// fingerprint.
func (h *Hasher) JSON(text []byte) {
	if len(text) == 0 {
		h.Absent()
		return
	}
	values, err := parseJSON(text)
	if err != nil {
		h.Absent()
		if h.err == nil {
			h.err = err
		}
		return
	}
	if values[0].tag != tagNull {
		h.tag(tagJSON)
	}
	h.json(values, 0)
}

func (h *Hasher) json(values []jsonValue, index int) {
	switch v := values[index]; v.tag {
	case tagNull:
		h.Null()
	case tagBool:
		h.Bool(v.truth)
	case tagString:
		h.String(v.text)
	case tagNumber:
		h.tag(tagNumber)
		d, _ := parseDecimal(v.text) // it was one when it was read
		h.decimal(d)
	case tagList:
		h.List(v.count)
		for i := index + 1; i < v.next; i = values[i].next {
			h.json(values, i)
		}
	case tagMap:
		h.Map(v.count)
		for _, i := range members(values, index) {
			h.Key(values[i].key)
			h.json(values, i)
		}
	}
}
