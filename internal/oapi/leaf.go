package oapi

import (
	"go/types"

	"github.com/idemgen/idemgen/internal/model"
)

const absentCall = "h.Absent()"

// leaf writes the call that hashes the value at the place.
func (r *resolver) leaf(code *model.CodeNode, at place) bool {
	switch code.Kind {
	case model.Boolean:
		return r.basic(code, at, types.IsBoolean, "h.Bool", types.Bool)
	case model.Integer:
		return r.integer(code, at)
	case model.Number:
		return r.number(code, at)
	case model.String:
		return r.text(code, at)
	case model.Bytes:
		return r.bytes(code, at)
	case model.Date:
		return r.exactly(code, at, runtimeTypes, "Date", "h.Date("+at.expr+".Time)")
	case model.Instant:
		return r.exactly(code, at, "time", "Time", "h.Time("+at.value()+")")
	case model.UUID:
		return r.exactly(code, at, "github.com/google/uuid", "UUID", "h.UUID("+at.value()+")")
	}
	return r.disagree(code.Node, at)
}

const runtimeTypes = "github.com/oapi-codegen/runtime/types"

// basic hashes a value whose underlying type has the given property.
func (r *resolver) basic(code *model.CodeNode, at place, info types.BasicInfo, call string, kind types.BasicKind) bool {
	basic, ok := r.basicType(at.typ)
	if !ok || basic.Info()&info == 0 {
		return r.disagree(code.Node, at)
	}
	code.Hash = call + "(" + convert(at, kind) + ")"
	return true
}

// integer hashes any integer exactly; those that may exceed int64 as big ones.
func (r *resolver) integer(code *model.CodeNode, at place) bool {
	basic, ok := r.basicType(at.typ)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return r.disagree(code.Node, at)
	}
	switch basic.Kind() {
	case types.Uint, types.Uint64, types.Uintptr:
		r.imports["math/big"] = true
		code.Hash = "h.BigInt(new(big.Int).SetUint64(" + convert(at, types.Uint64) + "))"
	default:
		code.Hash = "h.Int(" + convert(at, types.Int64) + ")"
	}
	return true
}

func (r *resolver) number(code *model.CodeNode, at place) bool {
	basic, ok := r.basicType(at.typ)
	if !ok || basic.Info()&types.IsFloat == 0 {
		return r.disagree(code.Node, at)
	}
	if basic.Kind() == types.Float32 && code.Format != "float" {
		remedy := "set format: double, send it as a string or an integer, or " + leaveOut(code.Node)
		if code.Format == "" {
			r.refuse(code.Node, "is a number without a format, which oapi-codegen decodes to float32: numbers that differ become one", remedy)
		} else {
			r.refuse(code.Node, "is a number with format: "+code.Format+", which oapi-codegen decodes to float32: numbers that differ become one", remedy)
		}
		return false
	}
	code.Hash = "h.Float(" + convert(at, types.Float64) + ")"
	return true
}

func (r *resolver) text(code *model.CodeNode, at place) bool {
	switch {
	case isType(at.typ, runtimeTypes, "File"):
		r.refuse(code.Node, "is binary, which JSON cannot carry as it is", "set format: byte, or "+leaveOut(code.Node))
		return false
	case isType(at.typ, "encoding/json", "RawMessage"):
		r.refuse(code.Node, "is kept as raw JSON, which idemgen cannot compare yet", "describe it with a schema, or "+leaveOut(code.Node))
		return false
	}
	if named, ok := types.Unalias(at.typ).(*types.Named); ok && !r.isText(named) {
		r.out.Errorf(code.Node.Pos, "set x-go-type: string, or "+leaveOut(code.Node),
			"%s: %s is decoded to %s, into which idemgen cannot see", r.route, code.Full, r.spell(at.typ))
		return false
	}
	return r.basic(code, at, types.IsString, "h.String", types.String)
}

// isText reports whether a named type is known to hold nothing but the string: an
// enumeration that oapi-codegen declared, or its e-mail address.
func (r *resolver) isText(named *types.Named) bool {
	basic, ok := named.Underlying().(*types.Basic)
	local := named.Obj().Pkg() == r.pkg.types
	return ok && basic.Info()&types.IsString != 0 && (local || isType(named, runtimeTypes, "Email"))
}

func (r *resolver) bytes(code *model.CodeNode, at place) bool {
	slice, ok := types.Unalias(at.typ).(*types.Slice)
	if !ok || !types.Identical(slice.Elem(), types.Typ[types.Byte]) {
		return r.disagree(code.Node, at)
	}
	code.Hash = "h.Bytes(" + at.value() + ")"
	return true
}

// exactly hashes a value of one type by call.
func (r *resolver) exactly(code *model.CodeNode, at place, path, name, call string) bool {
	if !isType(at.typ, path, name) {
		return r.disagree(code.Node, at)
	}
	code.Hash = call
	return true
}

// basicType returns the type under typ, if it is a basic one and typ is no type
// of another package, which might hold anything but what was sent.
func (r *resolver) basicType(typ types.Type) (*types.Basic, bool) {
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != r.pkg.types && !isType(named, runtimeTypes, "Email") {
			return nil, false
		}
	}
	basic, ok := typ.Underlying().(*types.Basic)
	return basic, ok
}

// isType reports whether typ is the named type of that package.
func isType(typ types.Type, path, name string) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// convert is the value as a basic type, without a conversion where it is that.
func convert(at place, kind types.BasicKind) string {
	target := types.Typ[kind]
	if types.Identical(at.typ, target) {
		return at.value()
	}
	return target.Name() + "(" + at.value() + ")"
}
