package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// ofParameter returns the decoding of a parameter: a pointer if it is optional.
func (e *expander) ofParameter(p parameter) decoding {
	skip, said := skipsPointer(p.Extensions)
	if !said && p.schema().exists() {
		skip, said = schemaSkipsPointer(p.Schema, nil)
	}
	merged := !said && !p.Required && e.noPointers
	return decoding{zero: p.Required || skip || merged, merged: merged, required: p.Required, delimiter: delimiter(p)}
}

// delimiter returns the separator of a list parameter; it is empty if each element is
// a value of its own. oapi-codegen ignores the style of a cookie.
func delimiter(p parameter) string {
	explode := p.In == openapi3.ParameterInQuery
	if p.Explode != nil {
		explode = *p.Explode
	}
	switch {
	case p.In == openapi3.ParameterInQuery && explode:
		return ""
	case p.Style == openapi3.SerializationSpaceDelimited:
		return " "
	case p.Style == openapi3.SerializationPipeDelimited:
		return "|"
	case p.Style == openapi3.SerializationLabel && explode:
		return "."
	case p.Style == openapi3.SerializationMatrix && explode:
		return ";"
	default:
		return ","
	}
}

// ofProperty returns the decoding of a property: a pointer if it is optional, nullable
// or writeOnly, unless the document says otherwise.
func (e *expander) ofProperty(schema place, required bool) decoding {
	if !schema.exists() {
		return decoding{}
	}
	nullable := e.nullable(schema.ref, nil)
	skip, said := schemaSkipsPointer(schema.ref, nil)
	zero := required && !nullable && !schema.ref.Value.WriteOnly
	switch {
	case nullable && e.nullableType:
		return decoding{}
	case skip:
		return decoding{zero: true}
	case !said && e.noPointers:
		return decoding{zero: true, merged: !zero}
	default:
		return decoding{zero: zero}
	}
}

// ofElement returns the decoding of the elements of a list or map: a pointer if they
// are nullable.
func (e *expander) ofElement(schema place) decoding {
	return decoding{zero: !e.nullable(schema.ref, nil)}
}

// nullable reports whether oapi-codegen treats the schema as nullable.
func (e *expander) nullable(ref *openapi3.SchemaRef, seen []*openapi3.Schema) bool {
	if ref == nil || ref.Value == nil || slices.Contains(seen, ref.Value) {
		return false
	}
	schema := ref.Value
	seen = append(seen, schema)
	for _, part := range schema.AllOf {
		if e.nullable(part, seen) {
			return true
		}
	}
	if !e.doc.OpenAPI.IsOpenAPI31OrLater() {
		return schema.Nullable
	}
	return schema.Type.Includes("null") || slices.ContainsFunc(schema.AnyOf, isNull) || slices.ContainsFunc(schema.OneOf, isNull)
}

// schemaSkipsPointer reports whether an extension of a schema turns off the pointer
// for a missing value, and whether the extension is present.
func schemaSkipsPointer(ref *openapi3.SchemaRef, seen []*openapi3.Schema) (skip, said bool) {
	if ref == nil || ref.Value == nil || slices.Contains(seen, ref.Value) {
		return false, false
	}
	if skip, said = skipsPointer(ref.Extensions); said {
		return skip, said
	}
	if skip, said = skipsPointer(ref.Value.Extensions); said {
		return skip, said
	}
	seen = append(seen, ref.Value)
	for _, part := range ref.Value.AllOf {
		if s, ok := schemaSkipsPointer(part, seen); ok {
			skip, said = s, true
		}
	}
	return skip, said
}

func skipsPointer(extensions map[string]any) (skip, said bool) {
	skip, said = extensions["x-go-type-skip-optional-pointer"].(bool)
	return skip, said
}

// goType returns the Go type that a schema sets by an extension. For an allOf with one
// member, or a union of one member and null, it is that of the member; with several
// members their types are ignored.
func goType(ref *openapi3.SchemaRef) string {
	for range 100 { // references may form a cycle
		if name, ok := ref.Extensions["x-go-type"].(string); ok {
			return name
		}
		if name, ok := ref.Value.Extensions["x-go-type"].(string); ok {
			return name
		}
		ref = standsFor(ref.Value)
		if ref == nil || ref.Value == nil {
			return ""
		}
	}
	return ""
}

// standsFor returns the single schema that a schema is equivalent to, or nil.
func standsFor(schema *openapi3.Schema) *openapi3.SchemaRef {
	if len(schema.AllOf) == 1 {
		return schema.AllOf[0]
	}
	for _, members := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf} {
		if only, nullable := onlyMember(members); nullable {
			return members[only]
		}
	}
	return nil
}

// nilKinds are the kinds whose missing value is nil even if the Go type is not a
// pointer.
var nilKinds = []model.Kind{model.List, model.Map, model.Bytes}

// mapped returns the Go type that an option sets for a scalar of the shape, or "".
func (e *expander) mapped(v value, s *shape) string {
	if !s.scalar() || goType(v.schema.ref) != "" {
		return ""
	}
	if name, ok := e.goTypes[strings.TrimSpace(s.types[0]+" "+s.format)]; ok {
		return name
	}
	return e.goTypes[s.types[0]+" *"]
}

// isText reports whether an option makes oapi-codegen keep a string of the shape's
// format unchanged.
func (e *expander) isText(v value, s *shape) bool {
	return e.mapped(v, s) == "string" && s.types[0] == "string"
}

// format returns the shape's format, or the format whose Go type is set by an option.
func (e *expander) format(v value, s *shape) string {
	switch name := e.mapped(v, s); {
	case e.isText(v, s):
		return ""
	case name == "float64":
		return "double"
	case name == "float32":
		return "float"
	default:
		return s.format
	}
}

// integerType returns the Go type that the document or an option sets for an integer.
func (e *expander) integerType(v value, s *shape) string {
	if name := e.mapped(v, s); name != "" && s.types[0] == "integer" {
		return name
	}
	return goType(v.schema.ref)
}

// isInPlace reports whether a schema is defined where it is used, and not through a
// $ref. An allOf that contains only a $ref counts as that $ref.
func isInPlace(ref *openapi3.SchemaRef) bool {
	for range 100 { // allOf may form a cycle
		if ref.Ref != "" {
			return false
		}
		schema := ref.Value
		extra := schema.AdditionalProperties
		siblings := len(schema.Properties) > 0 || len(schema.Required) > 0 || extra.Has != nil || extra.Schema != nil
		if siblings || len(schema.AllOf) != 1 || schema.AllOf[0] == nil || schema.AllOf[0].Value == nil {
			return true
		}
		ref = schema.AllOf[0]
	}
	return true
}

// requires reports whether a property is required.
func (s *shape) requires(name string) bool {
	return slices.ContainsFunc(s.parts, func(part *openapi3.Schema) bool { return slices.Contains(part.Required, name) })
}

// matchesExactly reports whether v is decoded by a method that oapi-codegen generates,
// which compares names exactly; encoding/json ignores letter case. oapi-codegen
// generates one for a schema that keeps more than its properties, except for a body
// that is described in the operation itself: its type has no methods.
func (e *expander) matchesExactly(v value, s *shape) bool {
	if len(v.full.Steps) == 0 && isInPlace(v.schema.ref) {
		return false
	}
	open := s.extra != nil || slices.ContainsFunc(s.parts, func(part *openapi3.Schema) bool {
		has := part.AdditionalProperties.Has
		return has != nil && *has
	})
	return s.union != "" || open && !s.closed
}

// isBare reports whether raw JSON is not a pointer in Go.
func (v value) isBare(s *shape) bool {
	return v.decoding.zero || !s.rawJSON && s.union == "" // format: json
}

// unappliable says why the default of a missing v cannot be used in its place, or nil:
// the request must have the same fingerprint with and without the validating
// middleware.
func unappliable(v value, s *shape, kind model.Kind) error {
	showsAbsence := slices.Contains([]model.Kind{model.List, model.Map, model.Bytes, model.JSON}, kind)
	if kind == model.JSON && v.isBare(s) {
		return errors.New("keeps null unchanged and has a default, which the validating middleware fills in for null")
	}
	parameter := v.full.In != spec.InBody && len(v.full.Steps) == 1
	switch {
	case parameter && v.decoding.required:
		return nil // never missing
	case v.decoding.zero && !showsAbsence:
		return errors.New("is required in the body, or is not a pointer in Go, and has a default: a missing value is decoded " +
			"to the zero value, but the validating middleware fills in the default")
	case parameter && (kind == model.Object || kind == model.List && v.decoding.delimiter != ""):
		return errors.New("has a default that the validating middleware writes in a form in which the server does not read it")
	}
	return nil
}

// unreadInForms says why a value cannot be declared in a form, or nil: the runtime of
// oapi-codegen does not fill in Go types that are structs.
func unreadInForms(kind model.Kind, schema place) *problem {
	switch {
	case kind == model.Date, kind == model.Instant, kind == model.JSON, kind == model.Bytes:
	case goType(schema.ref) == "big.Int", goType(schema.ref) == "*big.Int":
	default:
		return nil
	}
	return &problem{fmt.Sprintf("is of type %s, which oapi-codegen does not read from a form", kind), "describe it as a string, or " + leaveOut}
}
