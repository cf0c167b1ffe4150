package oapi

import (
	"go/types"

	"github.com/idemgen/idemgen/internal/model"
)

// value resolves the node at a place. It returns nil, and has reported why, where
// that cannot be done.
func (r *resolver) value(node *model.Node, at place) *model.CodeNode {
	code := &model.CodeNode{Node: node, Access: at.value()}
	if node.Kind == model.Object {
		code.Access = at.expr
	}
	if pointer, ok := types.Unalias(at.typ).(*types.Pointer); ok {
		code.Optional = true
		at = place{expr: "v", typ: pointer.Elem(), deref: true}
	} else if isNilable(at.typ) && node.Kind != model.Object {
		code.Optional = true
		at = place{expr: "v", typ: at.typ}
	}
	if problem, remedy := unreadable(node, at.typ); problem != "" {
		r.refuse(node, problem, remedy)
		return nil
	}
	if !r.fill(code, at) {
		return nil
	}
	if code.Optional && node.Kind != model.Object {
		code.Absent = r.absent(node)
	}
	if code.Optional && node.Kind == model.Object && node.Default != nil {
		r.refuse(node, "is an object with a default, which idemgen cannot apply", "move the default to the object's properties, or "+leaveOut(node))
	}
	return code
}

// fill resolves what the value consists of. The value is at hand at the place:
// it is not nil.
func (r *resolver) fill(code *model.CodeNode, at place) bool {
	switch code.Kind {
	case model.Object:
		return r.object(code, at)
	case model.List:
		return r.list(code, at)
	case model.Map:
		return r.mapping(code, at)
	}
	return r.leaf(code, at)
}

func (r *resolver) object(code *model.CodeNode, at place) bool {
	if _, ok := at.typ.Underlying().(*types.Struct); !ok {
		return r.disagree(code.Node, at)
	}
	if isUnion(at.typ) && len(code.Node.Members) == 0 {
		r.refuse(code.Node, "is a oneOf or anyOf, which idemgen cannot compare", "declare fields outside of it, or "+leaveOut(code.Node))
		return false
	}
	complete := true
	for _, member := range code.Node.Members {
		field, problem := at.property(member.Name)
		if problem != "" {
			r.missing(member, at, problem)
			complete = false
			continue
		}
		node := r.value(member, field)
		if node == nil {
			complete = false
			continue
		}
		code.Members = append(code.Members, node)
	}
	return complete
}

func (r *resolver) list(code *model.CodeNode, at place) bool {
	slice, ok := at.typ.Underlying().(*types.Slice)
	if !ok || !code.Optional {
		return r.disagree(code.Node, at)
	}
	code.Range = at.value()
	code.Elem = r.element(code.Node.Elem, slice.Elem())
	return code.Elem != nil
}

func (r *resolver) mapping(code *model.CodeNode, at place) bool {
	mapping, ok := at.typ.Underlying().(*types.Map)
	if !ok || !code.Optional || !types.Identical(mapping.Key(), types.Typ[types.String]) {
		return r.disagree(code.Node, at)
	}
	code.Range = at.value()
	code.Elem = r.element(code.Node.Elem, mapping.Elem())
	return code.Elem != nil
}

// element resolves what a list or map holds, which is called v inside. A default
// in its schema is for a missing value, and an element is never missing.
func (r *resolver) element(node *model.Node, typ types.Type) *model.CodeNode {
	code := r.value(node, place{expr: "v", typ: typ})
	if code != nil && code.Absent != "" {
		code.Absent = absentCall
	}
	return code
}

// isNilable reports whether a value of the type says by itself that it is absent.
func isNilable(typ types.Type) bool {
	switch typ.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// isUnion reports whether oapi-codegen keeps the value as raw JSON out of reach.
func isUnion(typ types.Type) bool {
	_, ok := fieldNamed(typ, "union")
	return ok
}

// unreadable says what is wrong with a Go type that no kind of value may have.
func unreadable(node *model.Node, typ types.Type) (problem, remedy string) {
	switch t := typ.Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return "is of a Go type that is not among the generated ones", "take x-go-type from it, or " + leaveOut(node)
		}
	case *types.Interface:
		return "is free-form JSON, in which decoding merges numbers that differ", "describe it with a schema, or " + leaveOut(node)
	case *types.Map:
		if _, free := t.Elem().Underlying().(*types.Interface); free {
			return "is free-form JSON, in which decoding merges numbers that differ", "describe its values with additionalProperties, or " + leaveOut(node)
		}
	case *types.Pointer:
		return "is a pointer to a pointer, in which idemgen cannot tell absent from null", "take x-go-type from it, or " + leaveOut(node)
	}
	return "", ""
}

// leaveOut is the remedy that always helps.
func leaveOut(node *model.Node) string { return "list " + node.Full + " under ignore" }

// refuse reports a value that cannot take part in a fingerprint.
func (r *resolver) refuse(node *model.Node, problem, remedy string) {
	r.out.Errorf(node.Pos, remedy, "%s: %s %s", r.route, node.Full, problem)
}

// missing reports a declared value that the generated Go does not have.
func (r *resolver) missing(node *model.Node, at place, problem string) {
	r.out.Errorf(node.Pos, "take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or "+leaveOut(node),
		"%s: %s is in the document, but not in the generated %s: %s", r.route, node.Full, r.spell(at.typ), problem)
}

// disagree reports a value that is one thing in the document and another in Go.
func (r *resolver) disagree(node *model.Node, at place) bool {
	r.out.Errorf(node.Pos, "take x-go-type from it, or "+leaveOut(node),
		"%s: %s is %s in the document, but %s in the generated Go", r.route, node.Full, describe(node), r.spell(at.typ))
	return false
}

// describe names what the document says of a value.
func describe(node *model.Node) string {
	switch node.Kind {
	case model.Object, model.Integer:
		return "an " + string(node.Kind)
	case model.Bytes:
		return "a string with format: byte"
	case model.Date, model.Instant, model.UUID:
		return "a string with format: " + string(node.Kind)
	}
	if node.Format != "" {
		return "a " + string(node.Kind) + " with format: " + node.Format
	}
	return "a " + string(node.Kind)
}
