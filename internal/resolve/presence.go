package resolve

import (
	"fmt"

	"github.com/idemgen/idemgen/internal/model"
)

// presence is how one sees in generated Go whether a value is there.
type presence struct {
	form   model.Presence
	access model.Access // what says so
	value  place        // the value itself, where it is there
}

// presenceOf says how the value of a node shows at a place that it is there.
func presenceOf(node *model.Node, at place) presence {
	if pointed, ok := pointee(at.typ); ok {
		value := inside(pointed)
		value.Pointer = true
		return presence{model.NotNil, at.Access, value}
	}
	if held, ok := nullable(at.typ); ok {
		return presence{model.Nullable, at.Access, inside(held)}
	}
	switch {
	case node.Kind == model.Object, node.Kind == model.JSON && node.Default == nil: // the hasher sees it
	case isNilable(at.typ):
		return presence{model.NotNil, at.Access, inside(at.typ)}
	case node.Kind == model.JSON:
		if raw, ok := fieldNamed(at.typ, unionField); ok {
			return presence{model.NotNil, at.Field(unionField), inside(raw)}
		}
	}
	return presence{model.Always, at.Access, at}
}

// distinguishesNull reports whether the Go type distinguishes null from absent exactly
// where the node does, or can be made to.
func (w *walker) distinguishesNull(node *model.Node, at place) bool {
	if _, ok := nullable(at.typ); ok {
		if !inBody(node) {
			w.refuse(node, "is of type "+w.spell(at.typ)+" in the generated Go, to which oapi-codegen does not bind every value", "take nullable from it, or "+leaveOut(node))
		}
		return inBody(node)
	}
	_, isPointer := pointee(at.typ)
	kept := node.Kind == model.JSON && !isPointer
	if node.Nullable == kept {
		return true
	}
	verb := "keeps"
	if node.Nullable {
		verb = "loses"
	}
	w.refuse(node, fmt.Sprintf("is of type %s in the generated Go, which %s the null that %s does not", w.spell(at.typ), verb, w.origin),
		"take x-go extensions from it, or "+leaveOut(node))
	return false
}

// isExpected reports whether Go makes a value optional as the contract says. If not, its
// default, or what a missing one is taken for, would be wrong.
func (w *walker) isExpected(node *model.Node, form model.Presence) bool {
	optional := form != model.Always
	switch {
	case isNilableKind(node.Kind) || node.Name == "" || node.Zero == !optional:
		return true
	case w.pkg.Source.From == "" && (node.Default == nil || optional):
		return true
	case optional:
		w.refuse(node, "has a pointer in the generated Go, where most optional values have none",
			"write x-go-type-skip-optional-pointer: false beside it, or "+leaveOut(node))
	default:
		w.refuse(node, "has no pointer in the generated Go, where most optional values have one",
			"write x-go-type-skip-optional-pointer: true beside it, or "+leaveOut(node))
	}
	return false
}
