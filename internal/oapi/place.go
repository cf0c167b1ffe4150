package oapi

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unicode"
)

// place is a value of the request in generated Go.
type place struct {
	expr  string     // "request.Params.DryRun"
	typ   types.Type // the value's type
	deref bool       // expr is a pointer to the value, and never nil
}

// value is the expression of the value itself.
func (p place) value() string {
	if p.deref {
		return "*" + p.expr
	}
	return p.expr
}

// property returns the place of a JSON property of the struct at p, or says why
// there is none.
func (p place) property(name string) (place, string) {
	found := p.fields(func(tag reflect.StructTag) bool { return tagName(tag, "json") == name && tag.Get("json") != "-" })
	return p.only(found, name)
}

// isJSONName reports whether encoding/json takes the name from a struct's tag. If
// not, it reads the member that has the name of the field instead.
func isJSONName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// parameter returns the place of a parameter. Query, header and cookie parameters
// share one struct, where headers differ from the others by having no form tag.
func (p place) parameter(in, name string) (place, string) {
	same := func(given string) bool { return given == name }
	if in == "header" {
		same = func(given string) bool { return strings.EqualFold(given, name) }
	}
	found := p.fields(func(tag reflect.StructTag) bool { return same(tagName(tag, "json")) })
	if len(found) > 1 {
		found = narrow(found, func(tag reflect.StructTag) bool {
			return same(tagName(tag, "json")) && (in == "header") == (tagName(tag, "form") == "")
		}, p)
	}
	return p.only(found, name)
}

func (p place) only(found []*types.Var, name string) (place, string) {
	switch len(found) {
	case 1:
		return place{expr: p.expr + "." + found[0].Name(), typ: found[0].Type()}, ""
	case 0:
		return place{}, fmt.Sprintf("it has no field for %q", name)
	default:
		return place{}, fmt.Sprintf("it has %d fields for %q", len(found), name)
	}
}

// fields returns the fields whose tag matches.
func (p place) fields(match func(reflect.StructTag) bool) []*types.Var {
	structure, ok := p.typ.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var found []*types.Var
	for i := range structure.NumFields() {
		if field := structure.Field(i); field.Exported() && match(reflect.StructTag(structure.Tag(i))) {
			found = append(found, field)
		}
	}
	return found
}

// narrow keeps those of found that also match, unless none does.
func narrow(found []*types.Var, match func(reflect.StructTag) bool, p place) []*types.Var {
	if narrowed := p.fields(match); len(narrowed) > 0 {
		return narrowed
	}
	return found
}

func tagName(tag reflect.StructTag, key string) string {
	name, _, _ := strings.Cut(tag.Get(key), ",")
	return name
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
