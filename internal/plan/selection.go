package plan

import (
	"net/http"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/spec"
)

// selection is the tree of the declared and ignored fields of an operation, one level
// per step of a path. Its root has one child per location. A nil selection selects
// nothing. Where one path contains another, the longer one decides about the values
// below it.
type selection struct {
	children map[spec.Step]*selection
	names    []spec.Step // of children, in the order of the annotation
	path     spec.FieldPath
	field    *diag.Position // of the field that ends here
	ignored  *diag.Position // of the ignored field that ends here

	// The settings of the field other than its path.
	order     spec.Value[string]
	normalize spec.Value[[]spec.Value[string]]
}

// newSelection builds the tree and reports contradictions and repetitions.
func newSelection(fields []spec.Field, ignore []spec.Value[spec.FieldPath], list *diag.List) *selection {
	root := &selection{}
	for _, field := range fields {
		if field.Path.OK {
			root.insert(field.Path.V).take(field, list)
		}
	}
	for _, ignored := range ignore {
		if ignored.OK {
			root.insert(ignored.V).ignore(ignored.Pos, list)
		}
	}
	root.checkNested(nil, nil, list)
	return root
}

func (s *selection) insert(path spec.FieldPath) *selection {
	path = canonical(path)
	node := s.step(spec.Step{Name: string(path.In)}, spec.FieldPath{In: path.In})
	for i, step := range path.Steps {
		node = node.step(step, spec.FieldPath{In: path.In, Steps: path.Steps[:i+1]})
	}
	return node
}

func (s *selection) step(step spec.Step, path spec.FieldPath) *selection {
	if child := s.children[step]; child != nil {
		return child
	}
	if s.children == nil {
		s.children = make(map[spec.Step]*selection)
	}
	child := &selection{path: path}
	s.children[step] = child
	s.names = append(s.names, step)
	return child
}

// canonical gives a header's name a single spelling, since letter case is not
// significant.
func canonical(path spec.FieldPath) spec.FieldPath {
	if path.In != spec.InHeader {
		return path
	}
	steps := append([]spec.Step(nil), path.Steps...)
	steps[0].Name = http.CanonicalHeaderKey(steps[0].Name)
	return spec.FieldPath{In: path.In, Steps: steps}
}

func (s *selection) take(field spec.Field, list *diag.List) {
	if s.field != nil {
		list.Errorf(field.Path.Pos, "remove one of the two", "field %s is declared twice", s.path)
		return
	}
	s.field, s.order, s.normalize = &field.Path.Pos, field.Order, field.Normalize
}

// refines reports whether the field has settings other than its path.
func (s *selection) refines() bool { return s.order.Present() || s.normalize.Present() }

func (s *selection) ignore(pos diag.Position, list *diag.List) {
	switch {
	case s.field != nil:
		list.Errorf(pos, "remove it from one of the two", "%s is both in fields and in ignore", s.path)
	case s.ignored != nil:
		list.Errorf(pos, "remove one of the two", "%s is ignored twice", s.path)
	default:
		s.ignored = &pos
	}
}

// checkNested reports fields that are part of another field and add nothing, and
// ignored ones that are part of another ignored one, unless an entry in between says
// the opposite.
func (s *selection) checkNested(field, ignored *spec.FieldPath, list *diag.List) {
	switch {
	case s.field != nil && field != nil && !s.refines():
		list.Errorf(*s.field, "remove one of the two", "field %s is already part of %s", s.path, field)
	case s.ignored != nil && ignored != nil:
		list.Errorf(*s.ignored, "remove one of the two", "%s is already ignored as part of %s", s.path, ignored)
	}
	if s.field != nil {
		field, ignored = &s.path, nil
	}
	if s.ignored != nil {
		field, ignored = nil, &s.path
	}
	for _, name := range s.names {
		s.children[name].checkNested(field, ignored, list)
	}
}

func (s *selection) child(step spec.Step) *selection {
	if s == nil {
		return nil
	}
	return s.children[step]
}

// leaf reports whether nothing below is selected.
func (s *selection) leaf() bool { return s == nil || len(s.children) == 0 }

// first returns the position of the first declared or ignored field at or below s.
func (s *selection) first() diag.Position {
	switch {
	case s.field != nil:
		return *s.field
	case s.ignored != nil:
		return *s.ignored
	default:
		return s.children[s.names[0]].first()
	}
}

// each calls visit for every declared or ignored field at or below s.
func (s *selection) each(visit func(path spec.FieldPath, pos diag.Position)) {
	switch {
	case s.field != nil:
		visit(s.path, *s.field)
	case s.ignored != nil:
		visit(s.path, *s.ignored)
	}
	for _, name := range s.names {
		s.children[name].each(visit)
	}
}
