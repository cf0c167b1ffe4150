package rewrite

import (
	"strings"

	"github.com/idemgen/idemgen/internal/spec"
)

// Step says what becomes of an item: it stays or changes (both indexes), goes
// (Want is -1), or is new (Have is -1).
type Step struct{ Have, Want int }

func (s Step) node(want []*spec.Node) *spec.Node {
	if s.Want < 0 {
		return nil
	}
	return want[s.Want]
}

// Align finds the longest list of items that stay, and pairs those between them
// that do not.
func Align(have, want []*spec.Node) []Step {
	var steps []Step
	i, j := 0, 0
	for _, same := range longest(have, want) {
		steps = append(steps, between(i, same.Have, j, same.Want)...)
		steps = append(steps, same)
		i, j = same.Have+1, same.Want+1
	}
	return append(steps, between(i, len(have), j, len(want))...)
}

func between(i, iEnd, j, jEnd int) []Step {
	var steps []Step
	for ; i < iEnd || j < jEnd; i, j = i+1, j+1 {
		s := Step{-1, -1}
		if i < iEnd {
			s.Have = i
		}
		if j < jEnd {
			s.Want = j
		}
		steps = append(steps, s)
	}
	return steps
}

// longest is a longest common subsequence.
func longest(have, want []*spec.Node) []Step {
	lengths := make([][]int, len(have)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(want)+1)
	}
	equal := func(i, j int) bool { return have[i].Equal(want[j]) }
	for i := len(have) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			if equal(i, j) {
				lengths[i][j] = 1 + lengths[i+1][j+1]
			}
		}
	}
	var same []Step
	for i, j := 0, 0; i < len(have) && j < len(want); {
		switch {
		case equal(i, j):
			same = append(same, Step{i, j})
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			i++
		default:
			j++
		}
	}
	return same
}

// sequenceStays reports whether some item of a sequence stays or changes in its
// place.
func (p *patcher) sequenceStays(v *value, have, want *spec.Node) bool {
	for _, s := range Align(have.Items, want.Items) {
		if s.Have >= 0 && s.Want >= 0 {
			return len(v.items) == len(have.Items)
		}
	}
	return false
}

func (p *patcher) sequence(v *value, have, want *spec.Node, at place) {
	previous := -1
	for _, s := range Align(have.Items, want.Items) {
		switch {
		case s.Have < 0 && previous < 0:
			p.itemInFront(v, want.Items[s.Want], at)
		case s.Have < 0:
			p.itemBehind(v, previous, want.Items[s.Want])
		case s.Want < 0:
			p.removeItem(v, s.Have, previous)
		default:
			i := v.items[s.Have]
			in := place{kind: inFlow}
			if !v.flow {
				in = place{atDash, v.column, i.dash + 1}
			}
			p.value(i.value, have.Items[s.Have], want.Items[s.Want], in)
			previous = s.Have
		}
	}
}

func (p *patcher) itemInFront(v *value, n *spec.Node, at place) {
	first := v.items[0]
	switch {
	case v.flow:
		p.replace(first.value.start, first.value.start, p.flowItem(v, n)+p.flowBreak(v))
	case at.kind == atKey && p.firstOnLine(first.dash):
		end := lineEnd(p.text, at.start)
		p.replace(end, end, p.blockItem(v, n))
	default:
		text := strings.TrimLeft(p.blockItem(v, n), "\r\n ")
		p.replace(first.dash, first.dash, text+p.style.newLine(v.column))
	}
}

func (p *patcher) itemBehind(v *value, previous int, n *spec.Node) {
	end := v.items[previous].end()
	if v.flow {
		p.insertBehind(v, end, p.flowBreak(v)+p.flowItem(v, n))
		return
	}
	p.insertBehind(v, end, p.blockItem(v, n))
}

func (p *patcher) blockItem(v *value, n *spec.Node) string {
	return p.style.newLine(v.column) + "-" + p.style.afterDash(n, v.column)
}

func (p *patcher) flowItem(v *value, n *spec.Node) string {
	first := v.items[0].value.start
	return p.style.flow(n, p.indentation(first), p.ownLines(v, first))
}

func (p *patcher) removeItem(v *value, i, previous int) {
	r := removal{flow: v.flow, start: v.items[i].value.start, end: v.items[i].end(), previous: -1, next: -1}
	if !v.flow {
		r.start = v.items[i].dash
	}
	if previous >= 0 {
		r.previous = v.items[previous].end()
	}
	if i+1 < len(v.items) {
		r.next = v.items[i+1].value.start
		if !v.flow {
			r.next = v.items[i+1].dash
		}
	}
	p.remove(r)
}
