package tree

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/diag"
)

// JSON is a tree written as JSON, one member or item a line, so that a line number
// in what a tool says about the text leads back to the source.
type JSON struct {
	Text  []byte
	lines []diag.Position // lines[i] is the source of line i+1
}

// Position returns the source position of a line of the text.
func (j *JSON) Position(line int) (diag.Position, bool) {
	if line < 1 || line > len(j.lines) || !j.lines[line-1].Valid() {
		return diag.Position{}, false
	}
	return j.lines[line-1], true
}

// JSONOptions say how a tree is written as JSON.
type JSONOptions struct {
	// Indent is one level of indentation. If it is empty, lines are not indented and
	// closing brackets have none of their own.
	Indent string
	// Brief leaves prose out, which is most of a large document: descriptions become
	// a dash.
	Brief bool
}

// EncodeJSON writes the tree as JSON, the entries of mappings in their order. YAML
// parsers read the text alike.
func EncodeJSON(root *Node, options JSONOptions) *JSON {
	e := jsonEncoder{options: options}
	e.out.lines = []diag.Position{root.Pos}
	e.value(root, 0)
	e.buf.WriteByte('\n')
	e.out.Text = e.buf.Bytes()
	return &e.out
}

type jsonEncoder struct {
	options JSONOptions
	buf     bytes.Buffer
	out     JSON
}

func (e *jsonEncoder) line(pos diag.Position, depth int) {
	e.buf.WriteByte('\n')
	e.buf.WriteString(strings.Repeat(e.options.Indent, depth))
	e.out.lines = append(e.out.lines, pos)
}

func (e *jsonEncoder) value(n *Node, depth int) {
	switch n.Kind {
	case Mapping:
		e.buf.WriteByte('{')
		for i, m := range n.Members {
			e.comma(i)
			e.line(m.Pos, depth+1)
			e.string(m.Name)
			e.buf.WriteString(": ")
			e.value(e.abridged(m), depth+1)
		}
		e.close('}', len(n.Members), depth)
	case Sequence:
		e.buf.WriteByte('[')
		for i, item := range n.Items {
			e.comma(i)
			e.line(item.Pos, depth+1)
			e.value(item, depth+1)
		}
		e.close(']', len(n.Items), depth)
	case String:
		e.string(n.Text)
	default:
		e.buf.WriteString(n.Text)
	}
}

func (e *jsonEncoder) comma(i int) {
	if i > 0 {
		e.buf.WriteByte(',')
	}
}

func (e *jsonEncoder) close(bracket byte, size, depth int) {
	if e.options.Indent != "" && size > 0 {
		e.line(diag.Position{}, depth)
	}
	e.buf.WriteByte(bracket)
}

// abridged is the value of an entry, or a dash for prose that is left out.
func (e *jsonEncoder) abridged(m *Member) *Node {
	if e.options.Brief && m.Name == "description" && m.Value.Kind == String && m.Value.Text != "" {
		return NewString("-")
	}
	return m.Value
}

// string writes a JSON string that a YAML parser reads alike: what YAML takes
// for a line break or does not allow is escaped.
func (e *jsonEncoder) string(s string) {
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // strings always encode
	for _, r := range string(bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))) {
		if r < 0x7f || unicode.IsPrint(r) || r > 0xffff {
			e.buf.WriteRune(r)
			continue
		}
		e.buf.WriteString(`\u`)
		e.buf.WriteString(strconv.FormatInt(0x10000|int64(r), 16)[1:])
	}
}
