package oapi

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// value resolves the node at a place. It returns nil, and has reported why, where
// that cannot be done.
func (r *resolver) value(node *model.Node, at place) *model.CodeNode {
	code := &model.CodeNode{Node: node, Access: at.value()}
	if node.Kind == model.Object {
		code.Access = at.expr
	}
	if r.observer != nil {
		r.observer.see(node, at.typ)
	}
	if !r.tellsNull(node, at) {
		return nil
	}
	at = held(code, at)
	if !r.reads(node, at.typ) || !r.foreseen(code) {
		return nil
	}
	if problem, remedy := unreadable(node, at.typ); problem != "" {
		r.refuse(node, problem, remedy)
		return nil
	}
	if !r.fill(code, at) {
		return nil
	}
	if code.Optional && (node.Kind != model.Object || node.Default != nil) {
		code.Absent = r.absent(node)
	}
	if code.Nulls && node.Nullable {
		code.Null = nullCall(node)
	}
	return code
}

// held returns the place of the value itself, where it is there, and notes in
// code how one sees that it is.
func held(code *model.CodeNode, at place) place {
	if pointer, ok := types.Unalias(at.typ).(*types.Pointer); ok {
		code.Optional = true
		return place{expr: "v", typ: pointer.Elem(), deref: true}
	}
	if held, ok := nullable(at.typ); ok {
		code.Optional, code.Nulls = true, true
		return place{expr: "v", typ: held}
	}
	switch {
	case code.Kind == model.Object, code.Kind == model.JSON && code.Default == nil: // the call sees it
	case isNilable(at.typ):
		code.Optional = true
		return place{expr: "v", typ: at.typ}
	case code.Kind == model.JSON:
		if raw, ok := fieldNamed(at.typ, "union"); ok {
			code.Optional, code.Access = true, at.expr+".union"
			return place{expr: "v", typ: raw}
		}
	}
	return at
}

// nullable returns what a nullable.Nullable holds.
func nullable(typ types.Type) (types.Type, bool) {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || !isType(named, "github.com/oapi-codegen/nullable", "Nullable") || named.TypeArgs().Len() != 1 {
		return nil, false
	}
	return named.TypeArgs().At(0), true
}

// tellsNull reports whether the Go type tells null from absent exactly where the
// node does, or can be made to.
func (r *resolver) tellsNull(node *model.Node, at place) bool {
	_, pointer := types.Unalias(at.typ).(*types.Pointer)
	if _, told := nullable(at.typ); told {
		if !inBody(node) {
			r.refuse(node, "is of type "+r.spell(at.typ)+" in the generated Go, to which oapi-codegen does not bind every value", "take nullable from it, or "+leaveOut(node))
		}
		return inBody(node)
	}
	kept := node.Kind == model.JSON && !pointer
	if node.Nullable == kept {
		return true
	}
	verb := "keeps"
	if node.Nullable {
		verb = "loses"
	}
	r.refuse(node, fmt.Sprintf("is of type %s in the generated Go, which %s the null that %s does not", r.spell(at.typ), verb, r.origin()),
		"take x-go extensions from it, or "+leaveOut(node))
	return false
}

// inBody reports whether a node is part of the body, and not of a parameter.
func inBody(node *model.Node) bool { return strings.HasPrefix(node.Full, "body") }

func nullCall(node *model.Node) string {
	if node.Kind == model.Object {
		return fmt.Sprintf("h.Field(%q)\nh.Null()", node.Path)
	}
	return "h.Null()"
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
	complete := true
	for _, member := range code.Node.Members {
		if !isJSONName(member.Name) {
			r.refuse(member, "has a name that encoding/json does not take from a tag: the member is never read", "rename it, or "+leaveOut(member))
			complete = false
			continue
		}
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
	if code != nil && code.Optional {
		code.Absent = absentCall
	}
	if code != nil && code.Null != "" {
		code.Null = "h.Null()"
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
	r.out.Errorf(node.Pos, r.mend("take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or "+leaveOut(node)),
		"%s: %s is in %s, but not in the generated %s: %s", r.route, node.Full, r.origin(), r.spell(at.typ), problem)
}

// disagree reports a value that is one thing in the document and another in Go.
func (r *resolver) disagree(node *model.Node, at place) bool {
	r.out.Errorf(node.Pos, r.mend("take x-go-type from it, or "+leaveOut(node)),
		"%s: %s is %s in %s, but %s in the generated Go", r.route, node.Full, describe(node), r.origin(), r.spell(at.typ))
	return false
}

// describe names what the document says of a value.
func describe(node *model.Node) string {
	switch node.Kind {
	case model.Object, model.Integer:
		return "an " + string(node.Kind)
	case model.JSON:
		return "raw JSON"
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
