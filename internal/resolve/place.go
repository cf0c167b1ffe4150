package resolve

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/model"
)

// place is where a value of the request is in generated Go, and its type there.
type place struct {
	model.Access
	typ types.Type
}

// inside is where a value is that has been taken out of another one.
func inside(typ types.Type) place { return place{model.Access{Path: []string{"v"}}, typ} }

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
		exact := p.fields(func(tag reflect.StructTag) bool {
			return same(tagName(tag, "json")) && (in == "header") == (tagName(tag, "form") == "")
		})
		if len(exact) > 0 {
			found = exact
		}
	}
	return p.only(found, name)
}

// header returns how the struct at p spells a header, and whether a request may be
// without it.
func (p place) header(name string) (spelling string, optional, ok bool) {
	p.fields(func(tag reflect.StructTag) bool {
		given := tagName(tag, "json")
		if strings.EqualFold(given, name) && tagName(tag, "form") == "" {
			options := strings.Split(tag.Get("json"), ",")[1:]
			spelling, optional, ok = given, slices.Contains(options, "omitempty"), true
		}
		return false
	})
	return spelling, optional, ok
}

func (p place) only(found []*types.Var, name string) (place, string) {
	switch len(found) {
	case 1:
		return place{p.Field(found[0].Name()), found[0].Type()}, ""
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

// as is the value at p as a basic type, without a conversion where it is that.
func (p place) as(to model.Conversion) model.Value {
	if basic, ok := types.Unalias(p.typ).(*types.Basic); ok && basic.Name() == string(to) {
		return model.Value{Access: p.Access}
	}
	return model.Value{Access: p.Access, Convert: []model.Conversion{to}}
}

// value is the value at p as it is.
func (p place) value() model.Value { return model.Value{Access: p.Access} }
