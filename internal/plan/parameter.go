package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/spec"
)

// parameter is a request parameter of an operation and its place in the document.
type parameter struct {
	*openapi3.Parameter
	at spec.Pointer
}

func (p parameter) schema() place { return place{p.Schema, p.at.Child("schema")} }

// path is the canonical path of the parameter.
func (p parameter) path() spec.FieldPath {
	return canonical(spec.FieldPath{In: spec.Location(p.In), Steps: []spec.Step{{Name: p.Name}}})
}

// is reports whether path names the parameter itself.
func (p parameter) is(path spec.FieldPath) bool { return p.path().Equal(canonical(path)) }

// parameters returns the operation's own parameters and those of its path that
// it does not override, by name.
func parameters(op *spec.Operation) []parameter {
	var all []parameter
	add := func(refs openapi3.Parameters, at spec.Pointer) {
		for i, ref := range refs {
			if ref == nil || ref.Value == nil {
				continue
			}
			p := parameter{ref.Value, at.Child("parameters", strconv.Itoa(i))}
			if !slices.ContainsFunc(all, func(other parameter) bool { return other.is(p.path()) }) {
				all = append(all, p)
			}
		}
	}
	add(op.OpenAPI.Parameters, op.Pointer)
	add(op.PathItem.Parameters, op.Pointer[:2])
	slices.SortStableFunc(all, func(a, b parameter) int { return strings.Compare(a.path().String(), b.path().String()) })
	return all
}

// isSpread reports whether each member of an object is a parameter of its own: style
// form with explode, both of which are the default in a query.
func isSpread(p parameter) bool {
	return p.In == openapi3.ParameterInQuery && (p.Style == "" || p.Style == openapi3.SerializationForm) && (p.Explode == nil || *p.Explode)
}

// credentials returns the parameters that carry the caller's credentials, and headers
// that an OpenAPI operation cannot describe.
func credentials(doc *openapi3.T, op *openapi3.Operation) []spec.FieldPath {
	paths := []spec.FieldPath{
		{In: spec.InHeader, Steps: []spec.Step{{Name: "Authorization"}}},
		{In: spec.InHeader, Steps: []spec.Step{{Name: "Accept"}}},
		{In: spec.InHeader, Steps: []spec.Step{{Name: "Content-Type"}}},
	}
	requirements := doc.Security
	if op.Security != nil {
		requirements = *op.Security
	}
	if doc.Components == nil {
		return paths
	}
	for _, requirement := range requirements {
		for name := range requirement {
			scheme := doc.Components.SecuritySchemes[name]
			if scheme == nil || scheme.Value == nil || scheme.Value.Type != "apiKey" {
				continue
			}
			paths = append(paths, spec.FieldPath{
				In:    spec.Location(scheme.Value.In),
				Steps: []spec.Step{{Name: scheme.Value.Name}},
			})
		}
	}
	return paths
}
