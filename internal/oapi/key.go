package oapi

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// key is how generated code gets at the key of a request.
type key struct {
	expr   string // of type *string
	header string // as the generated server spells it
	needed bool   // the wrapper refuses a request without it
}

// key resolves the header of the key. The bound document makes it an optional
// string; in a package of the user's it is whatever their document says.
func (r *resolver) key(declared model.Key) key {
	params, ok := r.params()
	if !ok {
		r.noKey(declared, "the generated "+r.request.request.Obj().Name()+" has no parameters, and so no key")
		return key{}
	}
	header, optional, ok := params.header(declared.Name)
	if !ok {
		r.noKey(declared, "it has no such header")
		return key{}
	}
	at, problem := params.parameter("header", declared.Name)
	if problem != "" {
		r.out.Errorf(declared.Pos, "give the other parameter a Go name of its own with x-go-name", "%s: key header %q: %s", r.route, declared.Name, problem)
		return key{}
	}
	expr := keyText(at, optional)
	if expr == "" {
		r.out.Errorf(declared.Pos, "declare it as a string, and generate again",
			"%s: key header %q: the generated field is of type %s, and a key is text", r.route, declared.Name, r.spell(at.typ))
		return key{}
	}
	return key{expr: expr, header: header, needed: !optional}
}

// noKey reports that the package has no field for the key.
func (r *resolver) noKey(declared model.Key, problem string) {
	if r.pkg.from == "" {
		r.out.Errorf(declared.Pos, "", "%s: key header %q: %s", r.route, declared.Name, problem)
		return
	}
	r.out.Errorf(declared.Pos,
		"declare the header in the document, as idemgen expand prints it, and run oapi-codegen again over what idemgen expand --bound prints; "+
			"or let idemgen run oapi-codegen, with server.out instead of server.from",
		"%s: package %s has no field for the key header %q: %s", r.route, r.pkg.from, declared.Name, problem)
}

// keyText is the key as a *string, or "" where the value is no text or does not
// tell whether there is a key.
func keyText(at place, optional bool) string {
	pointer, isPointer := types.Unalias(at.typ).(*types.Pointer)
	switch {
	case isPointer && types.Identical(pointer.Elem(), types.Typ[types.String]):
		return at.expr
	case isPointer && isUUID(pointer.Elem()):
		return "idemrt.KeyText(" + at.expr + ")"
	case isPointer && isString(pointer.Elem()):
		return "(*string)(" + at.expr + ")"
	case isUUID(at.typ) && !optional:
		return "idemrt.KeyText(&" + at.expr + ")"
	case isString(at.typ):
		return "idemrt.KeyOf(" + at.expr + ")"
	}
	return ""
}

// keyBodies is how generated code gets at a key in the body.
func (r *resolver) keyBodies(operation *model.Operation) []model.KeyBody {
	var bodies []model.KeyBody
	fields := r.findBodies(operation)
	if len(fields) == 0 {
		r.noBody(operation, nil)
	}
	for _, field := range fields {
		at := place{expr: field.access, typ: field.typ}
		if pointer, ok := types.Unalias(field.typ).(*types.Pointer); ok {
			at.typ = pointer.Elem()
		}
		property, problem := at.property(operation.Key.Name)
		expr := ""
		if problem == "" {
			if expr = keyValue(property); expr == "" {
				problem = "the generated field is of type " + r.spell(property.typ) + ", and a key is text"
			}
		}
		if problem != "" {
			r.out.Errorf(operation.Key.Pos, r.mend("describe the property as a string"), "%s: key body.%s: %s", r.route, operation.Key.Name, problem)
			continue
		}
		bodies = append(bodies, model.KeyBody{Access: field.access, Expr: expr})
	}
	return bodies
}

// keyValue is a key in the body as a *string, or "" where the value is no text. One
// that cannot be absent is not there if it is its type's zero value.
func keyValue(at place) string {
	if isUUID(at.typ) {
		return "idemrt.KeyOfValue(" + at.expr + ")"
	}
	if held, ok := nullable(at.typ); ok {
		if !isString(held) {
			return ""
		}
		return "idemrt.KeyOfNullable(" + at.expr + ")"
	}
	return keyText(at, true)
}

func isUUID(typ types.Type) bool { return isType(typ, "github.com/google/uuid", "UUID") }

func isString(typ types.Type) bool {
	basic, ok := typ.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

// header returns how the struct at p spells a header, and whether a request may be
// without it.
func (p place) header(name string) (spelling string, optional, ok bool) {
	p.fields(func(tag reflect.StructTag) bool {
		given, options, _ := strings.Cut(tag.Get("json"), ",")
		if strings.EqualFold(given, name) && tagName(tag, "form") == "" {
			spelling, optional, ok = given, strings.Contains(options, "omitempty"), true
		}
		return false
	})
	return spelling, optional, ok
}
