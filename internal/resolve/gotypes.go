package resolve

import (
	"go/types"
	"reflect"
	"strings"
)

const (
	uuidPath     = "github.com/google/uuid"
	runtimeTypes = "github.com/oapi-codegen/runtime/types"

	unionField = "union" // of a type of oapi-codegen: the JSON of a oneOf or anyOf
)

// isType reports whether typ is the named type of that package.
func isType(typ types.Type, path, name string) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

func isUUID(typ types.Type) bool { return isType(typ, uuidPath, "UUID") }

// isString reports whether a type is text, under whatever name.
func isString(typ types.Type) bool {
	basic, ok := typ.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

// pointee is what a pointer leads to.
func pointee(typ types.Type) (types.Type, bool) {
	pointer, ok := types.Unalias(typ).(*types.Pointer)
	if !ok {
		return nil, false
	}
	return pointer.Elem(), true
}

// nullable returns what a nullable.Nullable holds.
func nullable(typ types.Type) (types.Type, bool) {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || !isType(named, "github.com/oapi-codegen/nullable", "Nullable") || named.TypeArgs().Len() != 1 {
		return nil, false
	}
	return named.TypeArgs().At(0), true
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
	_, ok := fieldNamed(typ, unionField)
	return ok
}

// hasMethod reports whether a pointer to typ has one of the methods. A type that is
// defined as another one does not have its methods.
func hasMethod(typ types.Type, names ...string) bool {
	methods := types.NewMethodSet(types.NewPointer(typ))
	for _, name := range names {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// fieldNamed returns the type of a struct's field.
func fieldNamed(typ types.Type, name string) (types.Type, bool) {
	structure, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	for field := range structure.Fields() {
		if field.Name() == name {
			return field.Type(), true
		}
	}
	return nil, false
}

// tagName is the name that a field's tag has for a key.
func tagName(tag reflect.StructTag, key string) string {
	name, _, _ := strings.Cut(tag.Get(key), ",")
	return name
}

// isPlainString reports whether a type is string itself.
func isPlainString(typ types.Type) bool { return types.Identical(typ, types.Typ[types.String]) }
