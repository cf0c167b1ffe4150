package oapi

import (
	"go/types"
	"slices"
	"strings"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/idemgen/idemgen/internal/model"
)

// Habits are what a package shows of the options with which it was generated, as
// far as they matter to declared fields.
type Habits struct {
	NullableType bool              // nullable-type
	NoPointers   bool              // prefer-skip-optional-pointer
	GoTypes      map[string]string // type-mapping: Go types by type and format, "string uuid"
}

// Observe finds out the habits of a package that the user generates. The contract
// is one that was made without any.
func Observe(pkg *Package, contract *model.Contract) Habits {
	o := &observer{habits: Habits{GoTypes: map[string]string{}}}
	r := &resolver{pkg: pkg, imports: map[string]bool{}, observer: o}
	if pkg.shape != nil {
		return o.habits
	}
	for _, operation := range contract.Operations {
		r.operation(operation) // what is wrong with it is reported another time
	}
	r.needed()
	o.habits.NoPointers = o.plain > o.pointers
	return o.habits
}

// observer collects habits on the way of a resolver.
type observer struct {
	habits          Habits
	plain, pointers int // optional values without and with a pointer
}

func (o *observer) see(node *model.Node, typ types.Type) {
	pointer, isPointer := types.Unalias(typ).(*types.Pointer)
	inside, isNullable := nullable(typ)
	switch {
	case isNullable:
		o.habits.NullableType = true
	case node.Zero || node.Name == "" || node.Kind == model.JSON || slices.Contains([]model.Kind{model.List, model.Map, model.Bytes}, node.Kind):
	case isPointer:
		o.pointers++
	default:
		o.plain++
	}
	switch {
	case isPointer:
		typ = pointer.Elem()
	case isNullable:
		typ = inside
	}
	if basic, ok := typ.(*types.Basic); ok && node.GoType == "" {
		o.seeType(node, basic.Name())
	}
}

// seeType notes a plain Go type that is not the usual one.
func (o *observer) seeType(node *model.Node, name string) {
	typ, usual := "string", codegen.DefaultTypeMapping.String
	switch node.Kind {
	case model.Boolean:
		return
	case model.Integer:
		typ, usual = "integer", codegen.DefaultTypeMapping.Integer
	case model.Number:
		typ, usual = "number", codegen.DefaultTypeMapping.Number
	}
	if usual.Resolve(node.Format).Type != name {
		o.habits.GoTypes[strings.TrimSpace(typ+" "+node.Format)] = name
	}
}

// foreseen reports a value that Go makes optional in another way than the plan
// says: its default, or what a missing one is taken for, would be wrong.
func (r *resolver) foreseen(code *model.CodeNode) bool {
	node := code.Node
	tells := slices.Contains([]model.Kind{model.List, model.Map, model.Bytes, model.JSON}, node.Kind)
	switch {
	case tells || node.Name == "" || node.Zero == !code.Optional:
		return true
	case r.pkg.from == "" && (node.Default == nil || code.Optional):
		return true
	case code.Optional:
		r.refuse(node, "has a pointer in the generated Go, where most optional values have none",
			"write x-go-type-skip-optional-pointer: false beside it, or "+leaveOut(node))
	default:
		r.refuse(node, "has no pointer in the generated Go, where most optional values have one",
			"write x-go-type-skip-optional-pointer: true beside it, or "+leaveOut(node))
	}
	return false
}
