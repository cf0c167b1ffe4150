package differential

import (
	"encoding/json"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// schema writes the schema of s, and its component where it has one.
func (d *drawer) schema(s *shape) map[string]any {
	if s.component == "" {
		return d.annotated(s, d.bare(s))
	}
	ref := map[string]any{"$ref": "#/components/schemas/" + s.component}
	switch {
	case s.union:
		d.components[s.component] = d.unionOf(s)
		return d.orNull(s, ref)
	case s.wrapped:
		d.components[s.component] = d.bare(s)
		return d.annotated(s, map[string]any{"allOf": []any{ref}})
	default:
		d.components[s.component] = d.annotated(s, d.bare(s))
		return ref
	}
}

// orNull writes a reference that may be null.
func (d *drawer) orNull(s *shape, ref map[string]any) map[string]any {
	switch {
	case !s.nullable:
		return ref
	case d.with.openapi == "3.1.0":
		return map[string]any{"oneOf": []any{ref, map[string]any{"type": "null"}}}
	default:
		return map[string]any{"allOf": []any{ref}, "nullable": true}
	}
}

// annotated adds what a schema says beside its type.
func (d *drawer) annotated(s *shape, schema map[string]any) map[string]any {
	if s.nullable {
		switch kind, typed := schema["type"]; {
		case d.with.openapi != "3.1.0":
			schema["nullable"] = true
		case typed:
			schema["type"] = []any{kind, "null"}
		case schema["allOf"] != nil:
			schema = map[string]any{"oneOf": []any{schema, map[string]any{"type": "null"}}}
		default:
			schema["type"] = []any{"object", "null"}
		}
	}
	if s.readOnly {
		schema["readOnly"] = true
	}
	if s.writeOnly {
		schema["writeOnly"] = true
	}
	if s.skip != nil {
		schema["x-go-type-skip-optional-pointer"] = *s.skip
	}
	if name := goNames[s.name]; name != "" {
		schema["x-go-name"] = name
	}
	if s.spelled != "" {
		schema["default"] = json.RawMessage(s.spelled)
	}
	return schema
}

// bare writes the schema of s without anything beside it.
func (d *drawer) bare(s *shape) map[string]any {
	schema := map[string]any{}
	if s.format != "" && s.format != bigInteger {
		schema["format"] = s.format
	}
	switch s.kind {
	case model.Object:
		return d.objectOf(s)
	case model.List:
		schema["type"], schema["items"] = "array", d.schema(s.elem)
	case model.Map:
		schema["type"], schema["additionalProperties"] = "object", d.schema(s.elem)
	case model.JSON:
		schema["x-go-type"] = "json.RawMessage"
	case model.Boolean, model.Integer, model.Number:
		schema["type"] = string(s.kind)
	default:
		schema["type"] = "string"
	}
	if s.format == bigInteger {
		schema["x-go-type"], schema["x-go-type-import"] = "big.Int", map[string]any{"path": "math/big"}
	}
	if len(s.enum) > 0 {
		schema["enum"] = s.enum
	}
	return schema
}

func (d *drawer) objectOf(s *shape) map[string]any {
	if s.split > 0 {
		return map[string]any{"allOf": []any{d.propertiesOf(s.members[:s.split]), d.propertiesOf(s.members[s.split:])}}
	}
	schema := d.propertiesOf(s.members)
	if s.exact {
		schema["additionalProperties"] = true
	}
	return schema
}

func (d *drawer) propertiesOf(members []*shape) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, member := range members {
		properties[member.name] = d.schema(member)
		if member.required {
			required = append(required, member.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		schema["required"] = required
	}
	return schema
}

func (d *drawer) unionOf(s *shape) map[string]any {
	var members []any
	mapping := map[string]any{}
	for _, name := range []string{s.component + "X", s.component + "Y"} {
		d.components[name] = map[string]any{"type": "object", "properties": map[string]any{"kind": map[string]any{"type": "string"}, "n": map[string]any{"type": "integer"}}, "required": []string{"kind"}}
		members = append(members, map[string]any{"$ref": "#/components/schemas/" + name})
		mapping[name] = "#/components/schemas/" + name
	}
	union := map[string]any{pick(d.r, "oneOf", "anyOf"): members}
	if oneIn(d.r, 2) {
		union["discriminator"] = map[string]any{"propertyName": "kind", "mapping": mapping}
	}
	return union
}

// pathItem writes the operation.
func (d *drawer) pathItem(op *operation) map[string]any {
	annotation := map[string]any{"scope": "tenant", "fingerprint": map[string]any{"fields": orNone(op.fields), "ignore": orNone(op.ignore)}}
	written := map[string]any{
		"operationId":  op.id,
		"x-idempotent": annotation,
		"responses":    map[string]any{"204": map[string]any{"description": "Done."}},
	}
	var parameters []any
	op.path = "/" + op.id
	for _, p := range op.parameters {
		parameters = append(parameters, d.parameterOf(p))
		if p.in == "path" {
			op.path += "/{" + p.name + "}"
		}
	}
	if parameters != nil {
		written["parameters"] = parameters
	}
	if op.body != nil {
		written["requestBody"] = map[string]any{
			"required": op.mustHaveBody,
			"content":  map[string]any{op.media: map[string]any{"schema": d.schema(op.body)}},
		}
	}
	return map[string]any{op.method: written}
}

func orNone(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func (d *drawer) parameterOf(p *shape) map[string]any {
	written := map[string]any{"name": p.name, "in": p.in, "schema": d.schema(p)}
	if p.required {
		written["required"] = true
	}
	switch {
	case p.kind == model.Object:
		written["style"], written["explode"] = "deepObject", true
	case p.kind == model.List && p.in == "query":
		written["explode"] = p.delimiter == ""
	}
	return written
}

// document writes the operations as an OpenAPI document.
func (d *drawer) document(operations []*operation) map[string]any {
	paths := map[string]any{}
	for _, op := range operations {
		item := d.pathItem(op)
		paths[op.path] = item
		components := map[string]any{}
		for name, schema := range d.components {
			if strings.HasPrefix(name, op.id) {
				components[name] = schema
			}
		}
		op.document = map[string]any{"path": item, "components": components}
	}
	return map[string]any{
		"openapi":      d.with.openapi,
		"info":         map[string]any{"title": "drawn", "version": "1"},
		"x-idempotent": map[string]any{"scopes": map[string]any{"tenant": map[string]any{"columns": []any{map[string]any{"name": "tenant_id", "type": "uuid"}}}}},
		"paths":        paths,
		"components":   map[string]any{"schemas": d.components},
	}
}
