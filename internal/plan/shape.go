package plan

import (
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/spec"
)

// place is a schema in the document and its pointer.
type place struct {
	ref *openapi3.SchemaRef
	at  spec.Pointer
}

func (p place) exists() bool { return p.ref != nil && p.ref.Value != nil }

// shape describes a schema after resolving $ref, allOf and the notations for nullable
// types. It describes how oapi-codegen interprets the schema, not everything that a
// validator would check.
type shape struct {
	at         spec.Pointer
	types      []string // without "null"
	format     string
	base64     bool // contentEncoding: base64
	binary     bool // contentMediaType
	readOnly   bool
	rawJSON    bool // x-go-type: json.RawMessage
	properties map[string]place
	extra      *place // additionalProperties with a schema
	closed     bool   // additionalProperties: false
	open       bool   // additionalProperties: true
	items      *place
	union      string // "oneOf" or "anyOf", "" for none
	pattern    bool   // patternProperties
	prefix     bool   // prefixItems
	not        bool
	nothing    bool         // only null is allowed
	defaultAt  spec.Pointer // of the default, nil for none
	parts      []*openapi3.Schema
}

// shapeOf resolves the schema at p.
func shapeOf(p place) shape {
	s := shape{at: p.at, properties: make(map[string]place)}
	s.merge(p)
	return s
}

// merge adds a schema to the shape. Members of an allOf are added before the keywords
// beside it, so that the more specific schema takes precedence.
func (s *shape) merge(p place) {
	if !p.exists() || slices.Contains(s.parts, p.ref.Value) {
		return
	}
	schema := p.ref.Value
	s.parts = append(s.parts, schema)
	for i, part := range schema.AllOf {
		s.merge(place{part, p.at.Child("allOf", strconv.Itoa(i))})
	}
	s.mergeTypes(schema)
	s.mergeValue(schema, p.at)
	s.mergeObject(schema, p.at)
	if schema.Items != nil {
		s.items = &place{schema.Items, p.at.Child("items")}
	}
	s.prefix = s.prefix || len(schema.PrefixItems) > 0
	s.not = s.not || schema.Not != nil
	s.mergeUnion(schema, p.at)
	s.rawJSON = s.rawJSON || isRawJSON(schema.Extensions) || isRawJSON(p.ref.Extensions)
}

func (s *shape) mergeTypes(schema *openapi3.Schema) {
	types := schema.Type.Slice()
	for _, t := range types {
		if t != "null" && !slices.Contains(s.types, t) {
			s.types = append(s.types, t)
		}
	}
	s.nothing = s.nothing || len(types) == 1 && types[0] == "null"
}

func (s *shape) mergeValue(schema *openapi3.Schema, at spec.Pointer) {
	if schema.Format != "" {
		s.format = schema.Format
	}
	s.base64 = s.base64 || schema.ContentEncoding == "base64"
	s.binary = s.binary || schema.ContentMediaType != ""
	s.readOnly = s.readOnly || schema.ReadOnly
	if schema.Default != nil {
		s.defaultAt = at.Child("default")
	}
}

func (s *shape) mergeObject(schema *openapi3.Schema, at spec.Pointer) {
	for name, property := range schema.Properties {
		s.properties[name] = place{property, at.Child("properties", name)}
	}
	if extra := schema.AdditionalProperties; extra.Schema != nil {
		s.extra = &place{extra.Schema, at.Child("additionalProperties")}
	} else if extra.Has != nil {
		s.closed = s.closed || !*extra.Has
		s.open = s.open || *extra.Has
	}
	s.pattern = s.pattern || len(schema.PatternProperties) > 0
}

// mergeUnion adds a oneOf or anyOf. One whose only other member is null is equivalent
// to that member. One beside a scalar type only restricts it.
func (s *shape) mergeUnion(schema *openapi3.Schema, at spec.Pointer) {
	for _, union := range []struct {
		keyword string
		members openapi3.SchemaRefs
	}{{"oneOf", schema.OneOf}, {"anyOf", schema.AnyOf}} {
		if len(union.members) == 0 {
			continue
		}
		only, nullable := onlyMember(union.members)
		if nullable && schema.Discriminator == nil && len(s.properties) == 0 {
			s.merge(place{union.members[only], at.Child(union.keyword, strconv.Itoa(only))})
			continue
		}
		s.union = union.keyword
	}
}

// onlyMember returns the single member of a union that is not null, and whether the
// union consists of that member and null.
func onlyMember(members openapi3.SchemaRefs) (only int, nullable bool) {
	others := 0
	for i, member := range members {
		if !isNull(member) {
			only = i
			others++
		}
	}
	return only, others == 1 && others < len(members)
}

func isNull(ref *openapi3.SchemaRef) bool {
	return ref != nil && ref.Value != nil && ref.Value.Type.Is("null")
}

func isRawJSON(extensions map[string]any) bool {
	name, _ := extensions["x-go-type"].(string)
	return name == "json.RawMessage"
}

// ownDefault returns a schema in s or below it that has a default. This matters if the
// value is kept as raw JSON: only the validating middleware fills in defaults there.
func (s *shape) ownDefault() bool {
	seen := make(map[*openapi3.Schema]bool)
	return slices.ContainsFunc(s.parts, func(part *openapi3.Schema) bool { return defaultsBelow(part, seen) })
}

func defaultsBelow(schema *openapi3.Schema, seen map[*openapi3.Schema]bool) bool {
	if seen[schema] {
		return false
	}
	seen[schema] = true
	has := func(ref *openapi3.SchemaRef) bool {
		return ref != nil && ref.Value != nil && (ref.Value.Default != nil || defaultsBelow(ref.Value, seen))
	}
	below := slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf, schema.PrefixItems,
		openapi3.SchemaRefs{schema.Items, schema.AdditionalProperties.Schema})
	for _, property := range schema.Properties {
		below = append(below, property)
	}
	return slices.ContainsFunc(below, has)
}

// scalar reports whether the schema allows exactly one type, which is not a container.
func (s *shape) scalar() bool {
	return len(s.types) == 1 && s.types[0] != "object" && s.types[0] != "array"
}
