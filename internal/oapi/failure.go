package oapi

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/idemgen/idemgen/internal/diag"
)

// subject is something of the document that a message may mention.
type subject struct {
	name   string // as messages spell it
	owner  string // what it is in the document, to distinguish equal names
	origin *openapi3.Origin
}

// subjects lists what messages may mention. It asks for the document as it was read,
// because Generate rewrites the one that it gets.
func (o Options) subjects() []subject {
	if o.Located == nil || o.Origin == nil {
		return nil
	}
	doc, err := o.Located()
	if err != nil {
		return nil // it has been read before, so that this is not the user's mistake
	}
	internalize(doc)
	return indexDocument(doc)
}

// indexDocument lists what messages may mention: operations by method and path
// and by operationId, then paths and schemas. Longer names come before shorter
// ones, so that the first one found is the most exact.
func indexDocument(doc *openapi3.T) []subject {
	var operations, others []subject
	for path, item := range doc.Paths.Map() {
		others = append(others, subject{path, path, item.Origin})
		for method, op := range item.Operations() {
			route := method + " " + path
			operations = append(operations,
				subject{fmt.Sprintf("%s path %q", method, path), route, op.Origin},
				subject{method + "/" + path, route, op.Origin})
			if op.OperationID != "" {
				operations = append(operations, subject{op.OperationID, route, op.Origin})
			}
		}
	}
	if doc.Components != nil {
		for name, schema := range doc.Components.Schemas {
			if schema.Value != nil {
				others = append(others,
					subject{name, name, schema.Value.Origin},
					subject{codegen.ToCamelCase(name), name, schema.Value.Origin})
			}
		}
	}
	slices.SortFunc(operations, moreExact)
	slices.SortFunc(others, moreExact)
	return append(operations, others...)
}

func moreExact(a, b subject) int {
	return cmp.Or(cmp.Compare(len(b.name), len(a.name)), cmp.Compare(a.name, b.name), cmp.Compare(a.owner, b.owner))
}

// failures turns an error of oapi-codegen, which may be several in one, into
// diagnostics.
func failures(err error, options Options) diag.List {
	index := options.subjects()
	var list diag.List
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, part := range joined.Unwrap() {
			list.Add(failure(part, index, options))
		}
	} else {
		list.Add(failure(err, index, options))
	}
	list.Sort()
	return list
}

// failure turns one error of oapi-codegen into a diagnostic at what it mentions,
// or else at the document's start.
func failure(err error, index []subject, options Options) diag.Diagnostic {
	message := err.Error()
	if pos, ok := options.Settings.template(message); ok {
		return diag.Errorf(pos, "correct the template", "oapi-codegen %s cannot use the template: %s", Version, message)
	}
	pos := diag.Position{File: options.File, Line: 1, Column: 1}
	for _, mark := range index {
		if !mentions(message, mark.name) {
			continue
		}
		if at, ok := options.Origin(mark.origin); ok {
			pos = at
			break
		}
	}
	return diag.Errorf(pos, remedyFor(message), "oapi-codegen %s cannot generate from this document: %s", Version, message)
}

// mentions reports whether message has name as a word of its own.
func mentions(message, name string) bool {
	const edge = `[^A-Za-z0-9_.-]`
	word := regexp.MustCompile(`(?:^|` + edge + `)` + regexp.QuoteMeta(name) + `(?:$|` + edge + `)`)
	return word.MatchString(message)
}

// remedies are what helps against the errors that documents do run into. The
// first one whose text is in the message counts.
var remedies = []struct{ text, remedy string }{
	{"unhandled Schema type", "give the schema a single type, or a single type and \"null\"" + byOverlay},
	{"may not contain", "take the character out of the name" + byOverlay},
	{"must be a valid Go identifier", "fix the x-go-name or x-go-type-name" + byOverlay},
	{"duplicate typename", "give one of the two another name with x-go-name" + byOverlay + "; or set server.options: {output-options: {resolve-type-name-collisions: true}}"},
	{"external reference", "refer to a component of a local file, or name its package in server.options: {import-mapping: ...}"},
	{"positional parameters", "declare every parameter of the path, and no other, as a path parameter" + byOverlay},
	{"error formatting Go code", "look for names or x-go extensions that are no Go; oapi-codegen copied one of them into its output"},
	{"merging ", mergeParts},
	{"can not merge", mergeParts},
	{"panic:", "this is a fault of oapi-codegen: leave the operation out with server.options: {output-options: {exclude-operation-ids: [...]}}, or remove by overlay what it stumbles over, and report it"},
}

const (
	byOverlay  = ", by overlay if the document is not yours"
	mergeParts = "make the parts of the allOf agree, or write them as one schema" + byOverlay + "; or set server.options: {compatibility: {old-merge-schemas: true}}"
)

func remedyFor(message string) string {
	for _, r := range remedies {
		if strings.Contains(message, r.text) {
			return r.remedy
		}
	}
	return "change the document so that oapi-codegen accepts it" + byOverlay
}
