package rewrite

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// value is where a value stands in the text.
type value struct {
	start, end int // from its first byte, anchor and tag included, to behind its last
	kind       valueKind
	flow       bool    // in braces or brackets; everything of JSON is
	column     int     // of the keys or dashes of a block, from 0
	entries    []entry // of a mapping, in the text's order
	items      []item  // of a sequence

	anchored bool
	target   *value // of an alias
}

type valueKind int

const (
	scalar valueKind = iota
	mapping
	sequence
	alias
)

// entry is a key of a mapping and its value.
type entry struct {
	name   string
	start  int // of the key
	colon  int // behind the colon
	merge  bool
	value  *value
	keyEnd int
}

// end is behind the entry's last byte.
func (e entry) end() int { return max(e.colon, e.value.end) }

// item is an element of a sequence; dash is where its dash stands, in a block.
type item struct {
	dash  int
	value *value
}

func (i item) end() int { return max(i.dash+1, i.value.end) }

// find returns the entry of that name, but not what a merge key brings in.
func (v *value) find(name string) *entry {
	for i := range v.entries {
		if !v.entries[i].merge && v.entries[i].name == name {
			return &v.entries[i]
		}
	}
	return nil
}

// first is where the first entry or item starts.
func (v *value) first() int {
	if v.kind == mapping {
		return v.entries[0].start
	}
	return v.items[0].value.start
}

// each calls visit for v and everything under it, but not for what aliases name.
func (v *value) each(visit func(*value)) {
	visit(v)
	for _, e := range v.entries {
		e.value.each(visit)
	}
	for _, i := range v.items {
		i.value.each(visit)
	}
}

// parseYAML finds where the values of a YAML document stand. The text is known to
// be one.
func parseYAML(text []byte) (*value, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	p := yamlPlaces{text: text, anchors: map[*yaml.Node]*value{}}
	p.lines = append(p.lines, 0)
	for i, c := range text {
		if c == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	return p.value(document.Content[0], -1), nil
}

type yamlPlaces struct {
	text    []byte
	lines   []int // offsets of their starts
	anchors map[*yaml.Node]*value
}

// offset turns a position, whose column counts code points, into an offset.
func (p *yamlPlaces) offset(n *yaml.Node) int {
	at := p.lines[n.Line-1]
	for range n.Column - 1 {
		at++
		for at < len(p.text) && p.text[at]&0xC0 == 0x80 {
			at++
		}
	}
	return at
}

// value finds a value that is nested in a block whose keys or dashes stand in the
// column outer.
func (p *yamlPlaces) value(n *yaml.Node, outer int) *value {
	v := &value{start: p.offset(n), anchored: n.Anchor != ""}
	if v.anchored {
		p.anchors[n] = v
	}
	at := v.start
	if v.anchored || n.Style&yaml.TaggedStyle != 0 {
		at = p.afterProperties(at)
	}
	switch n.Kind {
	case yaml.MappingNode:
		p.mapping(v, n, at, outer)
	case yaml.SequenceNode:
		p.sequence(v, n, at, outer)
	case yaml.AliasNode:
		v.kind, v.target = alias, p.anchors[n.Alias]
		v.end = at + 1 + len(n.Value)
	default:
		v.end = p.scalarEnd(n, at, outer)
	}
	return v
}

// afterProperties skips anchor and tag.
func (p *yamlPlaces) afterProperties(at int) int {
	for at < len(p.text) && (p.text[at] == '&' || p.text[at] == '!') {
		at += bytes.IndexAny(append(p.text[at:len(p.text):len(p.text)], ' '), " \t\r\n")
		at = p.skip(at, " \t\r\n")
	}
	return min(at, len(p.text))
}

func (p *yamlPlaces) skip(at int, set string) int {
	for at < len(p.text) && strings.IndexByte(set, p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *yamlPlaces) mapping(v *value, n *yaml.Node, at, outer int) {
	v.kind, v.flow = mapping, n.Style&yaml.FlowStyle != 0
	inner := outer
	if !v.flow {
		v.column = n.Content[0].Column - 1
		inner = v.column
	}
	v.end = at + 1
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := p.value(n.Content[i], inner)
		e := entry{name: nameOf(n.Content[i]), start: name.start, keyEnd: name.end, colon: name.end, value: p.value(n.Content[i+1], inner)}
		e.merge = n.Content[i].ShortTag() == "!!merge"
		if colon := p.skip(name.end, " \t\r\n"); colon < len(p.text) && p.text[colon] == ':' {
			e.colon = colon + 1
		}
		v.entries = append(v.entries, e)
		v.end = e.end()
	}
	if v.flow {
		v.end = p.flowEnd(v.end)
	}
}

// nameOf is the text of a key, which may be an alias.
func nameOf(key *yaml.Node) string {
	if key.Kind == yaml.AliasNode {
		return key.Alias.Value
	}
	return key.Value
}

func (p *yamlPlaces) sequence(v *value, n *yaml.Node, at, outer int) {
	v.kind, v.flow = sequence, n.Style&yaml.FlowStyle != 0
	inner := outer
	if !v.flow {
		v.column = at - (bytes.LastIndexByte(p.text[:at], '\n') + 1)
		inner = v.column
	}
	v.end = at + 1
	next := at
	for _, content := range n.Content {
		i := item{dash: -1, value: p.value(content, inner)}
		if !v.flow {
			i.dash = p.dash(next, v.column)
		}
		v.items = append(v.items, i)
		v.end = i.end()
		next = v.end
	}
	if v.flow {
		v.end = p.flowEnd(v.end)
	}
}

// dash finds the next dash in a column: at once, or at the start of a line.
func (p *yamlPlaces) dash(at, column int) int {
	for at < len(p.text) {
		if dash := lineStart(p.text, at) + column; dash >= at && p.text[dash] == '-' {
			return dash
		}
		at = nextLine(p.text, at)
	}
	panic("a dash is missing")
}

// flowEnd finds the end of the braces or brackets whose last value ends at at.
func (p *yamlPlaces) flowEnd(at int) int {
	for {
		switch p.text[at] {
		case '}', ']':
			return at + 1
		case '#':
			at = lineEnd(p.text, at)
		default:
			at++
		}
	}
}

// scalarEnd finds the end of the scalar whose content starts at at.
func (p *yamlPlaces) scalarEnd(n *yaml.Node, at, outer int) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return p.quotedEnd(at, '\\')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return p.quotedEnd(at, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return p.blockScalarEnd(at, outer)
	}
	return p.plainEnd(n.Value, at)
}

// quotedEnd finds the closing quote; escape is what comes before a quote that is
// not the closing one.
func (p *yamlPlaces) quotedEnd(at int, escape byte) int {
	quote := p.text[at]
	for i := at + 1; ; i++ {
		switch {
		case p.text[i] == escape && (escape != quote || p.byteAt(i+1) == quote):
			i++
		case p.text[i] == quote:
			return i + 1
		}
	}
}

func (p *yamlPlaces) byteAt(at int) byte {
	if at < len(p.text) {
		return p.text[at]
	}
	return 0
}

// plainEnd follows the words of a plain scalar, which line breaks may part.
func (p *yamlPlaces) plainEnd(text string, at int) int {
	for i := range len(text) {
		if text[i] == ' ' || text[i] == '\n' || text[i] == '\t' {
			continue
		}
		at = p.skip(at, " \t\r\n")
		if p.text[at] != text[i] {
			panic("a plain scalar differs from the text")
		}
		at++
	}
	return at
}

// blockScalarEnd finds the last line of a literal or folded scalar, which is
// indented by more than outer. Blank lines behind it belong to it if it says so.
func (p *yamlPlaces) blockScalarEnd(at, outer int) int {
	end := lineEnd(p.text, at)
	header := p.text[at:end]
	keep := bytes.IndexByte(bytes.SplitN(header, []byte(" "), 2)[0], '+') >= 0
	for line := nextLine(p.text, at); line < len(p.text); line = nextLine(p.text, line) {
		indent := p.skip(line, " ") - line
		last := lineEnd(p.text, line)
		blank := line+indent >= last
		switch {
		case !blank && indent <= outer:
			return end
		case !blank || keep:
			end = last
		}
	}
	return end
}

// lineEnd is where the line of at ends, before its line break.
func lineEnd(text []byte, at int) int {
	end := len(text)
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
	}
	if end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

// nextLine is where the line after that of at starts.
func nextLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// lineStart is where the line of at starts.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }
