package resolve

import (
	"go/types"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
)

// inference collects from the types of values with which options of oapi-codegen a
// package was generated.
type inference struct {
	nullableType        bool
	goTypes             map[string]string
	plain, withPointers int // optional values without and with a pointer
}

// decoding is what the values seen so far say.
func (i *inference) decoding() oapi.Decoding {
	return oapi.Decoding{NullableType: i.nullableType, NoPointers: i.plain > i.withPointers, GoTypes: i.goTypes}
}

// see takes the Go type of a declared value into account.
func (i *inference) see(node *model.Node, typ types.Type) {
	inside, isPointer := pointee(typ)
	held, isNullable := nullable(typ)
	switch {
	case isNullable:
		i.nullableType = true
	case node.Zero || node.Name == "" || isNilableKind(node.Kind):
	case isPointer:
		i.withPointers++
	default:
		i.plain++
	}
	switch {
	case isPointer:
		typ = inside
	case isNullable:
		typ = held
	}
	if basic, ok := typ.(*types.Basic); ok && node.GoType == "" {
		i.seeType(node, basic.Name())
	}
}

// seeType notes a plain Go type that is not the usual one.
func (i *inference) seeType(node *model.Node, name string) {
	typ := "string"
	switch node.Kind {
	case model.Boolean:
		return
	case model.Integer, model.Number:
		typ = string(node.Kind)
	}
	if oapi.UsualGoType(typ, node.Format) != name {
		i.goTypes[strings.TrimSpace(typ+" "+node.Format)] = name
	}
}
