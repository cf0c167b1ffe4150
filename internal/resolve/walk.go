package resolve

import (
	"fmt"
	"go/types"

	"github.com/idemgen/idemgen/internal/model"
)

// value resolves the node at a place. It returns nil, and has reported why, where
// that cannot be done.
func (w *walker) value(node *model.Node, at place) *model.GoNode {
	if w.inference != nil {
		w.inference.see(node, at.typ)
	}
	if !w.distinguishesNull(node, at) {
		return nil
	}
	presence := presenceOf(node, at)
	if !w.isReadable(node, presence.value.typ) || !w.isExpected(node, presence.form) {
		return nil
	}
	if problem, remedy := unreadable(node, presence.value.typ); problem != "" {
		w.refuse(node, problem, remedy)
		return nil
	}
	content, ok := w.content(node, presence)
	if !ok {
		return nil
	}
	code := &model.GoNode{
		Node: node, Access: presence.access, Presence: presence.form,
		Hash: content.hash, Range: presence.value.Access, Members: content.members, Elem: content.element,
	}
	if presence.form == model.Nullable && node.Nullable {
		code.Null = hashNull(node)
	}
	if presence.form != model.Always {
		code.Absent = w.absent(node)
	}
	return code
}

// absent is what is hashed where a value is missing.
func (w *walker) absent(node *model.Node) []model.HashCall {
	calls, err := hashDefault(node)
	if err != nil {
		w.refuse(node, fmt.Sprintf("has the default %s, which idemgen cannot apply: %v", *node.Default, err), "fix the default, or "+leaveOut(node))
	}
	return calls
}

// content is what a value consists of: one of these.
type content struct {
	hash    *model.HashCall // of a leaf
	members []*model.GoNode // of an object
	element *model.GoNode   // of a list or map
}

func (w *walker) content(node *model.Node, found presence) (content, bool) {
	switch node.Kind {
	case model.Object:
		members, ok := w.members(node, found.value)
		return content{members: members}, ok
	case model.List, model.Map:
		element := w.element(node, found)
		return content{element: element}, element != nil
	}
	call := w.leaf(node, found.value)
	return content{hash: call}, call != nil
}

// members resolves what is declared of an object; false says that not all of it could be.
func (w *walker) members(node *model.Node, at place) ([]*model.GoNode, bool) {
	if _, ok := at.typ.Underlying().(*types.Struct); !ok {
		w.disagree(node, at.typ)
		return nil, false
	}
	var members []*model.GoNode
	for _, member := range node.Members {
		if !isJSONName(member.Name) {
			w.refuse(member, "has a name that encoding/json does not take from a tag: the member is never read", "rename it, or "+leaveOut(member))
			continue
		}
		field, problem := at.property(member.Name)
		if problem != "" {
			w.missing(member, at.typ, problem)
			continue
		}
		if value := w.value(member, field); value != nil {
			members = append(members, value)
		}
	}
	return members, len(members) == len(node.Members)
}

// element resolves what a list or map holds; nil where that could not be done.
func (w *walker) element(node *model.Node, found presence) *model.GoNode {
	var held types.Type
	switch container := found.value.typ.Underlying().(type) {
	case *types.Slice:
		if node.Kind == model.List {
			held = container.Elem()
		}
	case *types.Map:
		if node.Kind == model.Map && types.Identical(container.Key(), types.Typ[types.String]) {
			held = container.Elem()
		}
	}
	if held == nil || found.form == model.Always {
		w.disagree(node, found.value.typ)
		return nil
	}
	return w.value(node.Elem, inside(held))
}

// unreadable says what is wrong with a Go type that no kind of value may have.
func unreadable(node *model.Node, typ types.Type) (problem, remedy string) {
	const merged = "is free-form JSON, in which decoding merges numbers that differ"
	switch t := typ.Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return "is of a Go type that is not among the generated ones", "take x-go-type from it, or " + leaveOut(node)
		}
	case *types.Interface:
		return merged, "describe it with a schema, or " + leaveOut(node)
	case *types.Map:
		if _, free := t.Elem().Underlying().(*types.Interface); free {
			return merged, "describe its values with additionalProperties, or " + leaveOut(node)
		}
	case *types.Pointer:
		return "is a pointer to a pointer, in which idemgen cannot tell absent from null", "take x-go-type from it, or " + leaveOut(node)
	}
	return "", ""
}
