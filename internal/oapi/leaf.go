package oapi

import (
	"go/types"
	"strings"

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
	case model.JSON:
		return r.json(code, at)
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
	if isType(at.typ, "math/big", "Int") {
		return r.bigInteger(code, at)
	}
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

func (r *resolver) bigInteger(code *model.CodeNode, at place) bool {
	if !inBody(code.Node) {
		r.refuse(code.Node, "is a parameter of type big.Int, to which oapi-codegen binds nothing: all values would look alike", "take x-go-type from it, or "+leaveOut(code.Node))
		return false
	}
	pointer := at.expr
	if !at.deref {
		pointer = "&" + at.expr
	}
	code.Hash = "h.BigInt(" + pointer + ")"
	return true
}

// json hashes what is kept as JSON text: a field of that type, or a union that
// oapi-codegen has a method for to decode it.
func (r *resolver) json(code *model.CodeNode, at place) bool {
	switch {
	case isType(at.typ, "encoding/json", "RawMessage"):
		code.Hash = "h.JSON(" + at.value() + ")"
	case isUnion(at.typ) && !decodesItself(at.typ):
		r.refuse(code.Node, "is a oneOf or anyOf, which oapi-codegen decodes to nothing when it stands in the operation itself: every request would look alike",
			"move the schema to components/schemas and refer to it by $ref, or "+leaveOut(code.Node))
		return false
	case isUnion(at.typ):
		code.Hash = "h.JSON(" + at.expr + ".union)"
	default:
		return r.disagree(code.Node, at)
	}
	return true
}

// decodesItself reports whether a type has the method by which encoding/json lets
// it decode itself. A type that is defined as another one has not its methods.
func decodesItself(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && types.NewMethodSet(types.NewPointer(named)).Lookup(named.Obj().Pkg(), "UnmarshalJSON") != nil
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
	if isType(at.typ, runtimeTypes, "File") {
		r.refuse(code.Node, "is binary, which JSON cannot carry as it is", "set format: byte, or "+leaveOut(code.Node))
		return false
	}
	if named, ok := types.Unalias(at.typ).(*types.Named); ok && !r.isText(named) {
		r.out.Errorf(code.Node.Pos, "set x-go-type: string, or "+leaveOut(code.Node),
			"%s: %s is decoded to %s, into which idemgen cannot see", r.route, code.Full, r.spell(at.typ))
		return false
	}
	if basic, ok := r.basicType(at.typ); !ok || basic.Info()&types.IsString == 0 {
		return r.disagree(code.Node, at)
	}
	code.Hash = stringCall(code.Node, convert(at, types.String))
	return true
}

// stringCall hashes the text of a string after the normalizations of its node.
func stringCall(node *model.Node, text string) string {
	if len(node.Normalize) == 0 {
		return "h.String(" + text + ")"
	}
	flags := make([]string, len(node.Normalize))
	for i, step := range node.Normalize {
		flags[i] = map[string]string{model.Trim: "fingerprint.Trim", model.Lower: "fingerprint.Lower", model.NFC: "fingerprint.NFC", model.Decimal: "fingerprint.Decimal"}[step]
	}
	return "h.Normalized(" + text + ", " + strings.Join(flags, "|") + ")"
}

// isText reports whether a named type is known to hold nothing but the string: an
// enumeration that oapi-codegen declared, or its e-mail address.
func (r *resolver) isText(named *types.Named) bool {
	basic, ok := named.Underlying().(*types.Basic)
	local := r.pkg.isGenerated(named.Obj().Pkg())
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
		if pkg := named.Obj().Pkg(); !r.pkg.isGenerated(pkg) && !isType(named, runtimeTypes, "Email") {
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
