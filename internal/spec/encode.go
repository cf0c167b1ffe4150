package spec

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode"

	"github.com/idemgen/idemgen/internal/diag"
)

// encoded is a tree written as JSON, one member or item a line, so that a line
// number in what others say about the text leads back to the source.
type encoded struct {
	text  []byte
	lines []diag.Position // lines[i] is the source of line i+1
}

// position returns the source position of a line of the text.
func (e *encoded) position(line int) (diag.Position, bool) {
	if line < 1 || line > len(e.lines) {
		return diag.Position{}, false
	}
	return e.lines[line-1], true
}

// encode writes the tree. What is brief leaves prose out, which is most of a large
// document, and says where things are none the less.
func encode(root *Node, brief bool) *encoded {
	e := encoder{brief: brief}
	e.out.lines = []diag.Position{root.Pos}
	e.value(root)
	e.buf.WriteByte('\n')
	e.out.text = e.buf.Bytes()
	return &e.out
}

type encoder struct {
	brief bool
	buf   bytes.Buffer
	out   encoded
}

func (e *encoder) line(pos diag.Position) {
	e.buf.WriteByte('\n')
	e.out.lines = append(e.out.lines, pos)
}

func (e *encoder) value(n *Node) {
	switch n.Kind {
	case Mapping:
		e.buf.WriteByte('{')
		for i, m := range n.Members {
			e.comma(i)
			e.line(m.Pos)
			e.string(m.Name)
			e.buf.WriteString(": ")
			if e.brief && m.Name == "description" && m.Value.Kind == String && m.Value.Text != "" {
				e.string("-")
				continue
			}
			e.value(m.Value)
		}
		e.buf.WriteByte('}')
	case Sequence:
		e.buf.WriteByte('[')
		for i, item := range n.Items {
			e.comma(i)
			e.line(item.Pos)
			e.value(item)
		}
		e.buf.WriteByte(']')
	case String:
		e.string(n.Text)
	default:
		e.buf.WriteString(n.Text)
	}
}

func (e *encoder) comma(i int) {
	if i > 0 {
		e.buf.WriteByte(',')
	}
}

// string writes a JSON string that a YAML parser reads alike: what YAML takes
// for a line break or does not allow is escaped.
func (e *encoder) string(s string) {
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
