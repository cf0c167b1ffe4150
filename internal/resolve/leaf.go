package resolve

import (
	"go/types"

	"github.com/idemgen/idemgen/internal/model"
)

// leaf is the call that hashes the value at the place; nil, and has reported why, where
// there is none.
func (w *walker) leaf(node *model.Node, at place) *model.HashCall {
	call, ok := model.HashCall{}, false
	switch node.Kind {
	case model.Boolean:
		call, ok = hash("Bool", at.as(model.ToBool)), w.isBasic(at, types.IsBoolean)
	case model.Integer:
		return w.integer(node, at)
	case model.Number:
		return w.number(node, at)
	case model.String:
		return w.text(node, at)
	case model.JSON:
		return w.json(node, at)
	case model.Bytes:
		slice, isSlice := types.Unalias(at.typ).(*types.Slice)
		call, ok = hash("Bytes", at.value()), isSlice && types.Identical(slice.Elem(), types.Typ[types.Byte])
	case model.Date:
		call, ok = hash("Date", model.Value{Access: at.Field("Time")}), isType(at.typ, runtimeTypes, "Date")
	case model.Instant:
		call, ok = hash("Time", at.value()), isType(at.typ, "time", "Time")
	case model.UUID:
		call, ok = hash("UUID", at.value()), isUUID(at.typ)
	}
	if !ok {
		w.disagree(node, at.typ)
		return nil
	}
	return &call
}

// isBasic reports whether the type at a place has a property of basic types.
func (w *walker) isBasic(at place, info types.BasicInfo) bool {
	basic, ok := w.basicType(at.typ)
	return ok && basic.Info()&info != 0
}

// integer hashes any integer exactly; those that may exceed int64 as big ones.
func (w *walker) integer(node *model.Node, at place) *model.HashCall {
	if isType(at.typ, "math/big", "Int") {
		return w.bigInteger(node, at)
	}
	basic, ok := w.basicType(at.typ)
	if !ok || basic.Info()&types.IsInteger == 0 {
		w.disagree(node, at.typ)
		return nil
	}
	call := hash("Int", at.as(model.ToInt64))
	switch basic.Kind() {
	case types.Uint, types.Uint64, types.Uintptr:
		value := at.as(model.ToUint64)
		value.Convert = append(value.Convert, model.BigInt)
		call = hash("BigInt", value)
	}
	return &call
}

func (w *walker) bigInteger(node *model.Node, at place) *model.HashCall {
	if !inBody(node) {
		w.refuse(node, "is a parameter of type big.Int, to which oapi-codegen binds nothing: all values would look alike", "take x-go-type from it, or "+leaveOut(node))
		return nil
	}
	pointer := model.Value{Access: model.Access{Path: at.Path}}
	if !at.Pointer {
		pointer.Convert = []model.Conversion{model.AddressOf}
	}
	call := hash("BigInt", pointer)
	return &call
}

// json hashes what is kept as JSON text: a field of that type, or a union that
// oapi-codegen has a method for to decode it.
func (w *walker) json(node *model.Node, at place) *model.HashCall {
	call := hash("JSON", at.value())
	switch {
	case isType(at.typ, "encoding/json", "RawMessage"):
	case isUnion(at.typ) && !hasMethod(at.typ, "UnmarshalJSON"):
		w.refuse(node, "is a oneOf or anyOf, which oapi-codegen decodes to nothing when it stands in the operation itself: every request would look alike",
			"move the schema to components/schemas and refer to it by $ref, or "+leaveOut(node))
		return nil
	case isUnion(at.typ):
		call = hash("JSON", model.Value{Access: at.Field(unionField)})
	default:
		w.disagree(node, at.typ)
		return nil
	}
	return &call
}

func (w *walker) number(node *model.Node, at place) *model.HashCall {
	basic, ok := w.basicType(at.typ)
	if !ok || basic.Info()&types.IsFloat == 0 {
		w.disagree(node, at.typ)
		return nil
	}
	if basic.Kind() == types.Float32 && node.Format != "float" {
		what := "is a number without a format"
		if node.Format != "" {
			what = "is a number with format: " + node.Format
		}
		w.refuse(node, what+", which oapi-codegen decodes to float32: numbers that differ become one",
			"set format: double, send it as a string or an integer, or "+leaveOut(node))
		return nil
	}
	call := hash("Float", at.as(model.ToFloat64))
	return &call
}

func (w *walker) text(node *model.Node, at place) *model.HashCall {
	if isType(at.typ, runtimeTypes, "File") {
		w.refuse(node, "is binary, which JSON cannot carry as it is", "set format: byte, or "+leaveOut(node))
		return nil
	}
	if named, ok := types.Unalias(at.typ).(*types.Named); ok && !w.isText(named) {
		w.refuse(node, "is decoded to "+w.spell(at.typ)+", into which idemgen cannot see", "set x-go-type: string, or "+leaveOut(node))
		return nil
	}
	if !w.isBasic(at, types.IsString) {
		w.disagree(node, at.typ)
		return nil
	}
	call := hashText(node, at.as(model.ToString))
	return &call
}

// isText reports whether a named type is known to hold nothing but the string: an
// enumeration that oapi-codegen declared, or its e-mail address.
func (w *walker) isText(named *types.Named) bool {
	return isString(named) && (w.pkg.IsGenerated(named.Obj().Pkg()) || isType(named, runtimeTypes, "Email"))
}
