package oapi

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/model"
)

// Bind turns doc, which it changes, into the bound document: every annotated
// operation has its key as an optional header parameter of type string and
// nothing more, in the annotation's spelling, whatever was declared under that
// name; a key in the body stays as it is. References to other files become
// references to components, so that the document is complete in itself.
//
// The wrapper that oapi-codegen generates would answer a missing or malformed
// key before any strict handler runs; with the bound document it hands the key
// on as it came. An error means that operations are not those of doc.
func Bind(doc *openapi3.T, operations []*model.Operation) error {
	return BindFor(doc, operations, &Settings{})
}

// BindFor is [Bind] for a call of [Run] with settings: references to files whose
// types are in another package stay as they are.
func BindFor(doc *openapi3.T, operations []*model.Operation, settings *Settings) error {
	restore := func() {}
	if settings.importsOthers() {
		restore = detachRefs(doc, settings.imports)
	}
	return bind(doc, operations, restore)
}

// BindInPlace is [Bind] for a document that stays where its references to other
// files lead. Paths that are in other files become part of it.
func BindInPlace(doc *openapi3.T, operations []*model.Operation) error {
	return bind(doc, operations, detachRefs(doc, isOutside))
}

func bind(doc *openapi3.T, operations []*model.Operation, restore func()) error {
	internalize(doc)
	restore()
	for _, operation := range operations {
		item := doc.Paths.Value(operation.Path)
		if item == nil {
			return fmt.Errorf("bind: the document has no path %s", operation.Path)
		}
		op := item.GetOperation(operation.Method)
		if op == nil {
			return fmt.Errorf("bind: the document has no operation %s %s", operation.Method, operation.Path)
		}
		if !operation.Key.InBody() {
			bindKey(item, op, operation.Key.Name)
		}
	}
	return nil
}

// bindKey replaces whatever op has under the key's name, on its own or from its
// path item, by the bound parameter.
func bindKey(item *openapi3.PathItem, op *openapi3.Operation, name string) {
	for _, shared := range item.Parameters {
		if isHeader(shared, name) {
			handDown(item, op, shared)
		}
	}
	item.Parameters = without(item.Parameters, name)
	op.Parameters = append(without(op.Parameters, name), &openapi3.ParameterRef{Value: &openapi3.Parameter{
		Name:   name,
		In:     openapi3.ParameterInHeader,
		Schema: openapi3.NewStringSchema().NewRef(),
	}})
}

// handDown gives a parameter of the path item to every operation but op that has
// not overridden it, so that it can be taken from the item.
func handDown(item *openapi3.PathItem, op *openapi3.Operation, shared *openapi3.ParameterRef) {
	for _, other := range item.Operations() {
		if other == op || other.Parameters.GetByInAndName(shared.Value.In, shared.Value.Name) != nil {
			continue
		}
		other.Parameters = append(other.Parameters, shared)
	}
}

// without returns the parameters that are not the header of that name. It leaves
// the given list as it is, because lists may be shared.
func without(parameters openapi3.Parameters, name string) openapi3.Parameters {
	var kept openapi3.Parameters
	for _, parameter := range parameters {
		if !isHeader(parameter, name) {
			kept = append(kept, parameter)
		}
	}
	return kept
}

// isHeader reports whether the parameter is the header of that name; letter case
// makes no difference to a header.
func isHeader(parameter *openapi3.ParameterRef, name string) bool {
	return parameter != nil && parameter.Value != nil &&
		parameter.Value.In == openapi3.ParameterInHeader && strings.EqualFold(parameter.Value.Name, name)
}
