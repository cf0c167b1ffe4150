package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/spec"
)

// patcher collects what has to be changed in a text.
type patcher struct {
	text   []byte
	style  *style
	edits  []edit
	shared map[*value]bool // anchored values that change, so that no alias may name them
}

// edit replaces a part of the text.
type edit struct {
	start, end int
	text       string
}

func (p *patcher) replace(start, end int, text string) {
	p.edits = append(p.edits, edit{start, end, text})
}

// apply carries out the edits. Those that start at the same place keep their order.
func (p *patcher) apply() []byte {
	slices.SortStableFunc(p.edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, e := range p.edits {
		if e.start > at {
			out.Write(p.text[at:e.start])
		}
		out.WriteString(e.text)
		at = max(at, e.end)
	}
	out.Write(p.text[at:])
	return out.Bytes()
}

// place says what a value hangs on, and so how it is replaced as a whole.
type place struct {
	kind   placeKind
	column int // of the key or dash, in a block
	start  int // behind the colon or dash, in a block
}

type placeKind int

const (
	atRoot placeKind = iota
	atKey            // of a block mapping
	atDash           // of a block sequence
	inFlow           // in braces or brackets
)

// markShared finds the anchored values that change, or go.
func (p *patcher) markShared(v *value, have, want *spec.Node) {
	p.shared = map[*value]bool{}
	p.mark(v, have, want)
}

// mark marks v and what is under it; want is nil where it goes.
func (p *patcher) mark(v *value, have, want *spec.Node) {
	switch {
	case want != nil && have.Equal(want):
		return
	case want == nil || have.Kind != want.Kind:
		v.each(func(under *value) { p.shared[under] = under.anchored })
		return
	}
	p.shared[v] = v.anchored
	for _, e := range v.entries {
		if now := have.Get(e.name); now != nil && !e.merge {
			p.mark(e.value, now, want.Get(e.name))
		}
	}
	if v.kind != sequence {
		return
	}
	for _, s := range Align(have.Items, want.Items) {
		if s.Have >= 0 {
			p.mark(v.items[s.Have].value, have.Items[s.Have], s.node(want.Items))
		}
	}
}

// stands reports whether nothing under v names what changes elsewhere.
func (p *patcher) stands(v *value) bool {
	stands := true
	v.each(func(under *value) { stands = stands && !p.shared[under.target] })
	return stands
}

// value changes a value from have to want.
func (p *patcher) value(v *value, have, want *spec.Node, at place) {
	if have.Equal(want) && p.stands(v) {
		return
	}
	both := func(kind spec.Kind) bool { return have.Kind == kind && want.Kind == kind }
	switch {
	case p.outgrows(v, want, at):
		p.whole(v, want, at)
	case v.kind == mapping && both(spec.Mapping) && p.mappingStays(v, have, want):
		p.mapping(v, have, want, at)
	case v.kind == sequence && both(spec.Sequence) && p.sequenceStays(v, have, want):
		p.sequence(v, have, want, at)
	default:
		p.whole(v, want, at)
	}
}

// outgrows reports whether braces on one line of a block get too long for one, so
// that a block is better.
func (p *patcher) outgrows(v *value, want *spec.Node, at place) bool {
	if !v.flow || at.kind != atKey && at.kind != atDash || isScalar(want) || p.severalLines(v) {
		return false
	}
	length := len(p.style.flow(want, "", false))
	return length > maxFlow && length > v.end-v.start
}

// whole replaces a value as a whole.
func (p *patcher) whole(v *value, want *spec.Node, at place) {
	switch at.kind {
	case atRoot:
		p.replace(0, len(p.text), p.style.whole(want))
	case inFlow:
		p.replace(v.start, v.end, p.style.flow(want, p.indentation(v.start), p.severalLines(v)))
	case atKey:
		if v.kind == scalar && isScalar(want) && v.end > v.start && !v.anchored {
			p.replace(v.start, v.end, p.style.scalar(want, false))
			return
		}
		p.replace(at.start, max(at.start, v.end), p.style.afterKey(want, at.column))
	case atDash:
		p.replace(at.start, max(at.start, v.end), p.style.afterDash(want, at.column))
	}
}

// severalLines reports whether what is new in the place of v may have lines of its
// own. In JSON it may unless the whole text is one line.
func (p *patcher) severalLines(v *value) bool {
	return p.style.json && p.style.lines || bytes.IndexByte(p.text[v.start:v.end], '\n') >= 0
}

// indentation is the white space that the line of at starts with.
func (p *patcher) indentation(at int) string {
	start := lineStart(p.text, at)
	end := start
	for end < len(p.text) && (p.text[end] == ' ' || p.text[end] == '\t') {
		end++
	}
	return string(p.text[start:end])
}

// firstOnLine reports whether nothing but white space precedes at on its line.
func (p *patcher) firstOnLine(at int) bool {
	return strings.Trim(string(p.text[lineStart(p.text, at):at]), " \t") == ""
}

// mappingStays reports whether some entry stays, and every entry that is new or
// different can be written without touching what a merge key brings in.
func (p *patcher) mappingStays(v *value, have, want *spec.Node) bool {
	stays := false
	for _, e := range v.entries {
		if e.merge && !p.stands(e.value) {
			return false
		}
		stays = stays || !e.merge && want.Get(e.name) != nil
	}
	for _, m := range have.Members {
		if v.find(m.Name) != nil {
			continue
		}
		if now := want.Get(m.Name); now == nil || !now.Equal(m.Value) {
			return false
		}
	}
	return stays
}

func (p *patcher) mapping(v *value, have, want *spec.Node, at place) {
	added := additions(v, have, want)
	p.entriesInFront(v, added[""], at)
	previous := -1 // the end of the last entry that stays
	for i, e := range v.entries {
		now := want.Get(e.name)
		if now == nil && !e.merge {
			p.remove(removal{v.flow, e.start, e.end(), previous, nextStart(v, i)})
			continue
		}
		if !e.merge {
			p.value(e.value, have.Get(e.name), now, p.placeOf(v, e))
		}
		previous = e.end()
		if !e.merge {
			p.entriesBehind(v, e, added[e.name])
		}
	}
}

func nextStart(v *value, i int) int {
	if i+1 < len(v.entries) {
		return v.entries[i+1].start
	}
	return -1
}

func (p *patcher) placeOf(v *value, e entry) place {
	if v.flow {
		return place{kind: inFlow}
	}
	return place{atKey, v.column, e.colon}
}

// additions are the entries of want that have does not have, by the name of the
// entry of the text that precedes them.
func additions(v *value, have, want *spec.Node) map[string][]*spec.Member {
	added := map[string][]*spec.Member{}
	previous := ""
	for _, m := range want.Members {
		switch {
		case v.find(m.Name) != nil:
			previous = m.Name
			continue
		case have.Member(m.Name) != nil: // a merge key brings it in
			continue
		}
		added[previous] = append(added[previous], m)
	}
	return added
}

// entriesInFront writes entries before the first one.
func (p *patcher) entriesInFront(v *value, added []*spec.Member, at place) {
	if len(added) == 0 {
		return
	}
	first := v.entries[0].start
	own := p.firstOnLine(first)
	var text strings.Builder
	for _, m := range added {
		switch {
		case v.flow:
			text.WriteString(p.flowEntry(v, m) + p.flowBreak(v))
		case at.kind == atKey && own:
			text.WriteString(p.blockEntry(v, m))
		default:
			text.WriteString(strings.TrimLeft(p.blockEntry(v, m), "\r\n ") + p.style.newLine(v.column))
		}
	}
	if !v.flow && at.kind == atKey && own {
		first = lineEnd(p.text, at.start)
	}
	p.replace(first, first, text.String())
}

// entriesBehind writes entries behind e.
func (p *patcher) entriesBehind(v *value, e entry, added []*spec.Member) {
	var text strings.Builder
	for _, m := range added {
		if v.flow {
			text.WriteString(p.flowBreak(v) + p.flowEntry(v, m))
		} else {
			text.WriteString(p.blockEntry(v, m))
		}
	}
	p.insertBehind(v, e.end(), text.String())
}

// insertBehind writes text behind what ends at end: in a block behind its line,
// with the comment that may follow there.
func (p *patcher) insertBehind(v *value, end int, text string) {
	if text == "" {
		return
	}
	if !v.flow {
		end = lineEnd(p.text, end)
	}
	p.replace(end, end, text)
}

// blockEntry is an entry on a line of its own, line break first.
func (p *patcher) blockEntry(v *value, m *spec.Member) string {
	return p.style.newLine(v.column) + p.style.key(m.Name, false) + ":" + p.style.afterKey(m.Value, v.column)
}

func (p *patcher) flowEntry(v *value, m *spec.Member) string {
	first := v.entries[0].start
	return p.style.key(m.Name, true) + p.style.colon + p.style.flow(m.Value, p.indentation(first), p.ownLines(v, first))
}

// flowBreak is what parts the entries or items of braces or brackets.
func (p *patcher) flowBreak(v *value) string {
	first := v.first()
	if p.ownLines(v, first) {
		return "," + p.style.lineBreak + p.indentation(first)
	}
	return p.style.comma
}

// ownLines reports whether each entry of the braces has a line of its own.
func (p *patcher) ownLines(v *value, first int) bool {
	return bytes.IndexByte(p.text[v.start:first], '\n') >= 0
}

// removal is an entry or item that goes.
type removal struct {
	flow       bool
	start, end int
	previous   int // where the one before that stays ends, or -1
	next       int // where the next one starts, or -1
}

// remove takes an entry or item from the text, with its lines where it is a
// block's.
func (p *patcher) remove(r removal) {
	switch {
	case r.flow && r.previous >= 0:
		p.replace(r.previous, r.end, "")
	case r.flow || !p.firstOnLine(r.start):
		p.replace(r.start, r.next, "")
	default:
		p.removeLines(r.start, r.end)
	}
}

func (p *patcher) removeLines(start, end int) {
	from, to := lineStart(p.text, start), lineEnd(p.text, end)
	if from == 0 {
		p.replace(0, nextLine(p.text, end), "")
		return
	}
	p.replace(lineEnd(p.text, from-1), to, "")
}
