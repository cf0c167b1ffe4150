package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// walk returns the node of v, or nil if no part of it takes part.
func (e *expander) walk(v value) *model.Node {
	v.state = v.state.below(v.sel)
	if v.sel.leaf() && !v.state.declared() {
		if !v.state.decided {
			e.undecided = append(e.undecided, undecided{v.full.String(), e.position(v)})
		}
		return nil
	}
	s := shapeOf(v.schema)
	if !v.sel.leaf() && !e.stepsExist(v, &s) {
		return nil
	}
	kind, trouble := e.kind(v, &s)
	if trouble == nil && e.form && v.full.In == spec.InBody {
		trouble = unreadInForms(kind, v.schema)
	}
	if trouble != nil {
		e.refuse(v, e.asRawJSON(*trouble, v, &s))
		return nil
	}
	if v.state.declared() && v.sel.leaf() {
		v.within = append(slices.Clone(v.within), s.parts...)
	}
	if e.nodes++; e.nodes > maxNodes {
		return nil // reported by the caller
	}
	node := &model.Node{
		Name:   v.name,
		Path:   strings.TrimPrefix(v.framing.String(), "."),
		Full:   v.full.String(),
		Kind:   kind,
		Format: e.format(v, &s),
		Pos:    e.position(v),
	}
	node.Default = e.defaultOf(v, &s, kind)
	node.Nullable = node.Default == nil && e.keepsNull(v, &s, kind)
	e.refine(node, v)
	node.Zero, node.Required, node.Delimiter = v.decoding.zero, v.decoding.required, v.decoding.delimiter
	node.GoType = e.integerType(v, &s)
	return e.children(node, v, &s)
}

// kind decides how v is encoded. If only some of its members are selected, it is
// sufficient that these can be reached.
func (e *expander) kind(v value, s *shape) (model.Kind, *problem) {
	for _, part := range s.parts {
		if v.state.declared() && slices.Contains(v.within, part) {
			return "", &problem{"contains itself", oneByOne}
		}
	}
	if !v.state.declared() && len(s.properties) > 0 {
		return model.Object, nil
	}
	kind, trouble := s.kind()
	if e.isText(v, s) {
		return model.String, nil
	}
	if trouble == nil && kind == model.JSON && v.full.In != spec.InBody {
		return "", &problem{"is a union or raw JSON, which oapi-codegen does not read from parameters", "give the parameter one type, or " + leaveOut}
	}
	return kind, trouble
}

// asRawJSON adds to the remedy for free-form JSON how to keep it unchanged, or, in a
// form, how to read it as text.
func (e *expander) asRawJSON(trouble problem, v value, s *shape) problem {
	if !s.formless() || v.full.In != spec.InBody {
		return trouble
	}
	update, how := "x-go-type: json.RawMessage", "keep it unchanged"
	if e.form {
		update, how = "type: string", "read it as text"
	}
	if target, ok := e.doc.Locate(v.schema.at); ok {
		how += fmt.Sprintf(" with the overlay action {target: %q, update: {%s}}", target, update)
	} else {
		how = "add " + update + " to its schema"
	}
	trouble.remedy = how + ", " + trouble.remedy
	return trouble
}

func (e *expander) children(node *model.Node, v value, s *shape) *model.Node {
	switch node.Kind {
	case model.Object:
		return e.withMembers(node, v, s)
	case model.List:
		return e.withElement(node, v, *s.items)
	case model.Map:
		return e.withElement(node, v, *s.extra)
	default:
		return node
	}
}

func (e *expander) withMembers(node *model.Node, v value, s *shape) *model.Node {
	before := len(*e.list)
	node.Names, node.Exact = slices.Sorted(maps.Keys(s.properties)), e.matchesExactly(v, s)
	for _, name := range node.Names {
		if member := e.member(v, s, name); member != nil {
			node.Members = append(node.Members, member)
		}
	}
	if len(node.Members) > 0 {
		return node
	}
	if v.state.declared() && v.sel.leaf() && len(*e.list) == before {
		what := "has only readOnly properties, which are not a part of a request"
		if e.key != nil && len(v.full.Steps) == 0 {
			what = "has only the idempotency key, which does not belong to the fingerprint"
		}
		e.refuse(v, problem{what, leaveOut})
	}
	if v.element {
		return node // the number of elements still matters
	}
	return nil
}

// member walks one property. A readOnly property does not belong to the request.
func (e *expander) member(v value, s *shape, name string) *model.Node {
	step, schema := spec.Step{Name: name}, s.properties[name]
	sel := v.sel.child(step)
	if e.key != nil && e.key.Equal(v.full.Child(step)) {
		return nil
	}
	if shape := shapeOf(schema); shape.readOnly {
		if sel != nil {
			sel.each(func(path spec.FieldPath, pos diag.Position) {
				e.list.Errorf(pos, "remove it", "%s is readOnly, so it is not a part of a request", path)
			})
		}
		return nil
	}
	return e.walk(value{
		name:    name,
		full:    v.full.Child(step),
		framing: v.framing.Child(step),
		schema:  schema,
		sel:     sel,
		state:   v.state,
		within:  v.within,

		decoding: e.ofProperty(schema, s.requires(name)),
	})
}

func (e *expander) withElement(node *model.Node, v value, schema place) *model.Node {
	step := spec.Step{Each: true}
	node.Elem = e.walk(value{
		full:    v.full.Child(step),
		schema:  schema,
		sel:     v.sel.child(step),
		state:   v.state,
		within:  v.within,
		element: true,
		entry:   node.Kind == model.Map,

		decoding: e.ofElement(schema),
	})
	if sel := v.sel.child(step); v.state.declared() && sel != nil && sel.ignored != nil {
		e.list.Errorf(*sel.ignored, "ignore "+v.full.String()+" instead", "no field of %s is left", v.full)
	}
	if node.Elem == nil || node.Elem.Kind == model.Object && len(node.Elem.Members) == 0 && !v.state.declared() {
		return nil
	}
	return node
}

// stepsExist reports each selected field below v that the schema does not have, and
// returns whether any of them exists.
func (e *expander) stepsExist(v value, s *shape) bool {
	some := false
	for _, step := range v.sel.names {
		sel := v.sel.children[step]
		trouble, hidden := missingStep(s, v.full, step)
		if trouble == nil {
			some = true
			continue
		}
		verb := "does not exist"
		if hidden {
			verb = "cannot be reached"
		}
		sel.each(func(path spec.FieldPath, pos diag.Position) {
			e.list.Errorf(pos, trouble.remedy, "field %s %s: %s %s", path, verb, v.full, trouble.what)
		})
	}
	return some || v.state.declared()
}

// missingStep says why a schema has no value at step, or nil if it has one. A hidden
// value may exist, but no field path can name it.
func missingStep(s *shape, at spec.FieldPath, step spec.Step) (trouble *problem, hidden bool) {
	if _, ok := s.properties[step.Name]; ok && !step.Each {
		return nil, false
	}
	if !step.Each && len(s.properties) > 0 && s.union == "" {
		return &problem{
			fmt.Sprintf("has no property %q", step.Name),
			didYouMean(at, step.Name, slices.Sorted(maps.Keys(s.properties))),
		}, false
	}
	kind, trouble := s.kind()
	switch {
	case trouble != nil:
		return trouble, true
	case step.Each:
		return missingElement(kind, at), false
	default:
		return missingMember(kind, at, step), false
	}
}

// missingElement says why a value of that kind has no elements, or nil.
func missingElement(kind model.Kind, at spec.FieldPath) *problem {
	if kind == model.List || kind == model.Map {
		return nil
	}
	if kind == model.JSON {
		return &problem{keptAsItIs, fmt.Sprintf("declare %s", at)}
	}
	return &problem{fmt.Sprintf("is of type %s, not a list", kind), fmt.Sprintf("write %s without []", at)}
}

// missingMember says why a value of that kind has no property.
func missingMember(kind model.Kind, at spec.FieldPath, step spec.Step) *problem {
	switch kind {
	case model.List:
		each := at.Child(spec.Step{Each: true}).Child(step)
		return &problem{"is a list", fmt.Sprintf("write %s for a field of its elements", each)}
	case model.Map:
		return &problem{"is a map, whose keys are not in the document", fmt.Sprintf("declare %s as a whole", at)}
	case model.JSON:
		return &problem{keptAsItIs, fmt.Sprintf("declare %s", at)}
	default:
		return &problem{fmt.Sprintf("is of type %s and has no properties", kind), fmt.Sprintf("declare %s", at)}
	}
}

// keptAsItIs is the reason why fields inside a union or raw JSON cannot be named.
const keptAsItIs = "is a union or raw JSON, which can only take part as a whole"

// didYouMean returns the remedy for a misspelt member of at.
func didYouMean(at spec.FieldPath, name string, names []string) string {
	near, ok := diag.Nearest(name, names)
	if !ok {
		return diag.DidYouMean(name, names)
	}
	return fmt.Sprintf("did you mean %s?", at.Child(spec.Step{Name: near}))
}

// defaultOf returns the default that is used for an absent v.
func (e *expander) defaultOf(v value, s *shape, kind model.Kind) *string {
	if s.defaultAt == nil || v.element || v.required || v.decoding.merged && !slices.Contains(nilKinds, kind) {
		return nil
	}
	node, _ := e.doc.Lookup(s.defaultAt)
	text, err := defaultText(kind, node)
	if text != nil && err == nil {
		err = unappliable(v, s, kind)
	}
	if err != nil {
		e.list.Errorf(e.doc.PositionOf(s.defaultAt), "correct or remove the default, or put "+v.full.String()+" into ignore",
			"%s takes part in a fingerprint, but %v", v.full, err)
		return nil
	}
	return text
}
