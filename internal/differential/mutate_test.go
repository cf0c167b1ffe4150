package differential

import (
	"math/rand/v2"
	"slices"

	"github.com/idemgen/idemgen/internal/model"
)

// mutate changes one declared value of a request.
func (op *operation) mutate(r *rand.Rand, d drawn) drawn {
	changed := drawn{body: d.body.clone(), parameters: cloneAll(d.parameters)}
	places := []func(){}
	if op.body != nil && op.body.takesPart() {
		mutate := func() { op.body.mutate(r, changed.body) }
		places = append(places, mutate, mutate, mutate)
	}
	for i, p := range op.parameters {
		if p.takesPart() {
			places = append(places, func() { changed.parameters[i] = p.drawParameter(r) })
		}
	}
	if len(places) > 0 {
		pick(r, places...)()
	}
	return changed
}

// mutate changes something about v that s declares. It may come to the same.
func (s *shape) mutate(r *rand.Rand, v *value) {
	if v.state != given {
		*v = *s.drawGiven(r)
		return
	}
	switch s.kind {
	case model.Object:
		s.mutateMember(r, v)
	case model.List, model.Map:
		s.mutateElements(r, v)
	default:
		v.leaf = s.drawLeaf(r)
	}
}

func (s *shape) mutateMember(r *rand.Rand, v *value) {
	var declared []int
	for i, member := range s.members {
		if member.takesPart() {
			declared = append(declared, i)
		}
	}
	if len(declared) == 0 {
		return
	}
	i := pick(r, declared...)
	if oneIn(r, 4) {
		v.members[i] = s.members[i].drawMember(r)
		return
	}
	s.members[i].mutate(r, v.members[i])
}

func (s *shape) mutateElements(r *rand.Rand, v *value) {
	n, change := len(v.elems), r.IntN(8)
	switch {
	case n == 0 || change == 0:
		*v = *s.drawGiven(r)
	case s.kind == model.List && change == 1:
		i, j := r.IntN(n), r.IntN(n)
		v.elems[i], v.elems[j] = v.elems[j], v.elems[i]
	case s.kind == model.List && change == 2:
		v.elems = append(v.elems, pick(r, v.elems...).clone())
	case change == 3:
		i := r.IntN(n)
		v.elems = slices.Delete(v.elems, i, i+1)
		if s.kind == model.Map {
			v.keys = slices.Delete(v.keys, i, i+1)
		}
	default:
		s.elem.mutate(r, pick(r, v.elems...))
	}
}
