package rewrite

import (
	"bytes"
	"strings"

	"github.com/idemgen/idemgen/internal/spec"
)

// style is how a text is written, as far as new parts of it can be written alike.
type style struct {
	json      bool
	lines     bool   // the text has several lines
	lineBreak string // "\n" or "\r\n"
	unit      string // one level of indentation
	dashes    int    // by how much dashes are indented below their key
	quote     byte   // around strings that need quotes
	leafs     bool   // mappings that hold nothing but scalars are written in braces
	colon     string // in braces, with the white space behind it
	comma     string
}

func defaultStyle(json bool) *style {
	return &style{json: json, lines: true, lineBreak: "\n", unit: "  ", dashes: 2, quote: '\'', colon: ": ", comma: ", "}
}

func styleOf(text []byte, json bool, root *value) *style {
	s := defaultStyle(json)
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		s.lineBreak = "\r\n"
	}
	s.lines = bytes.IndexByte(bytes.TrimSpace(text), '\n') >= 0
	if json {
		s.quote = '"'
		s.learnJSON(text, root)
		return s
	}
	if bytes.Count(text, []byte(`"`)) > bytes.Count(text, []byte(`'`)) {
		s.quote = '"'
	}
	s.learnYAML(root)
	return s
}

// learnJSON looks at the first entry of the text.
func (s *style) learnJSON(text []byte, root *value) {
	if len(root.entries) == 0 {
		return
	}
	first := root.entries[0]
	s.colon = string(text[first.keyEnd:first.value.start])
	start := lineStart(text, first.start)
	if start > root.start {
		s.unit = string(text[start:first.start])
		return
	}
	s.comma = "," + string(bytes.Repeat([]byte(" "), bytes.Count(text[first.keyEnd:first.value.start], []byte(" "))))
}

// learnYAML counts how mappings and lists are written.
func (s *style) learnYAML(root *value) {
	units, dashes := map[int]int{}, map[int]int{}
	braces, blocks := 0, 0
	root.each(func(v *value) {
		if v.kind == mapping && v.leaf() {
			if v.flow {
				braces++
			} else {
				blocks++
			}
		}
		for _, e := range v.entries {
			switch under := e.value; {
			case v.flow || under.flow:
			case under.kind == mapping && under.column > v.column:
				units[under.column-v.column]++
			case under.kind == sequence && under.column >= v.column:
				dashes[under.column-v.column]++
			}
		}
	})
	s.unit = strings.Repeat(" ", mostly(units, 2))
	s.dashes = mostly(dashes, len(s.unit))
	s.leafs = braces > blocks
}

// leaf reports whether a mapping holds nothing but scalars.
func (v *value) leaf() bool {
	for _, e := range v.entries {
		if e.value.kind != scalar {
			return false
		}
	}
	return len(v.entries) > 0
}

// mostly returns the number that was counted most often, the smaller among equals.
func mostly(counts map[int]int, fallback int) int {
	best := fallback
	for n, count := range counts {
		if count > counts[best] || count == counts[best] && n < best {
			best = n
		}
	}
	return best
}

// newLine is a line break and the indentation of a column.
func (s *style) newLine(column int) string { return s.lineBreak + strings.Repeat(" ", column) }

// whole writes a document.
func (s *style) whole(n *spec.Node) string {
	if s.json {
		return s.flow(n, "", s.lines) + s.lineBreak
	}
	text := s.afterDash(n, -2) // a column to the left, as if the document were an item
	return strings.TrimLeft(text, " ") + s.lineBreak
}

// afterKey writes what stands behind the colon of a key in a column.
func (s *style) afterKey(n *spec.Node, column int) string {
	switch {
	case s.inline(n):
		return " " + s.inlined(n)
	case isBlockText(n):
		return s.blockText(n.Text, column+len(s.unit))
	case n.Kind == spec.Mapping:
		inner := column + len(s.unit)
		return s.newLine(inner) + s.entries(n, inner)
	default:
		dash := column + s.dashes
		return s.newLine(dash) + s.itemsOf(n, dash)
	}
}

// afterDash writes what stands behind a dash in a column.
func (s *style) afterDash(n *spec.Node, column int) string {
	switch {
	case s.inline(n):
		return " " + s.inlined(n)
	case isBlockText(n):
		return s.blockText(n.Text, column+2)
	case n.Kind == spec.Mapping:
		return " " + s.entries(n, column+2)
	default:
		return " " + s.itemsOf(n, column+2)
	}
}

// entries writes the entries of a mapping, the first without indentation.
func (s *style) entries(n *spec.Node, column int) string {
	var b strings.Builder
	for i, m := range n.Members {
		if i > 0 {
			b.WriteString(s.newLine(column))
		}
		b.WriteString(s.key(m.Name, false) + ":" + s.afterKey(m.Value, column))
	}
	return b.String()
}

// itemsOf writes the items of a sequence, the first without indentation.
func (s *style) itemsOf(n *spec.Node, column int) string {
	var b strings.Builder
	for i, item := range n.Items {
		if i > 0 {
			b.WriteString(s.newLine(column))
		}
		b.WriteString("-" + s.afterDash(item, column))
	}
	return b.String()
}

// maxFlow is how long a mapping or list in braces or brackets may be.
const maxFlow = 80

// inline reports whether a value stands on the line of its key.
func (s *style) inline(n *spec.Node) bool {
	switch {
	case isScalar(n):
		return !isBlockText(n)
	case len(n.Members)+len(n.Items) == 0:
		return true
	case n.Kind == spec.Mapping && !s.leafs:
		return false
	}
	for _, m := range n.Members {
		if !isScalar(m.Value) {
			return false
		}
	}
	for _, item := range n.Items {
		if !isScalar(item) {
			return false
		}
	}
	text := s.flow(n, "", false)
	return len(text) <= maxFlow && !strings.Contains(text, `\n`)
}

func (s *style) inlined(n *spec.Node) string {
	if isScalar(n) {
		return s.scalar(n, false)
	}
	return s.flow(n, "", false)
}

// flow writes a value in braces or brackets, with lines of their own for what is
// in them if wanted. JSON is nothing else.
func (s *style) flow(n *spec.Node, indent string, lines bool) string {
	if isScalar(n) {
		return s.scalar(n, true)
	}
	var parts []string
	inner := indent + s.unit
	for _, m := range n.Members {
		parts = append(parts, s.key(m.Name, true)+s.colon+s.flow(m.Value, inner, lines))
	}
	for _, item := range n.Items {
		parts = append(parts, s.flow(item, inner, lines))
	}
	opening, closing := "{", "}"
	if n.Kind == spec.Sequence {
		opening, closing = "[", "]"
	}
	if lines && len(parts) > 0 {
		begin := s.lineBreak + inner
		return opening + begin + strings.Join(parts, ","+begin) + s.lineBreak + indent + closing
	}
	return opening + strings.Join(parts, s.comma) + closing
}
