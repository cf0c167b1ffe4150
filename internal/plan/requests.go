package plan

import (
	"cmp"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Requests describes the requests of a document, including fields that no annotation
// declares any more.
type Requests struct {
	doc     *spec.Document
	goTypes map[string]string
}

// NewRequests returns the requests of doc. Options must be those of its contract.
func NewRequests(doc *spec.Document, options Options) *Requests {
	return &Requests{doc: doc, goTypes: options.GoTypes}
}

// Field returns a description of a field of an operation's requests, in the body of
// that content type. With whole, an object counts with everything in it.
func (r *Requests) Field(operation *model.Operation, path spec.FieldPath, contentType string, whole bool) model.RequestField {
	op := r.described(operation)
	if op == nil {
		return model.RequestField{}
	}
	at, found := schemaAt(op, path, contentType)
	if !found {
		return model.RequestField{}
	}
	s := shapeOf(at)
	e := &expander{doc: r.doc, list: new(diag.List), goTypes: r.goTypes}
	today := value{full: path, schema: at, state: state{decided: whole, takes: whole, path: path}}
	field := model.RequestField{Found: true, Pos: r.doc.PositionOf(at.at)}
	kind, trouble := e.kind(today, &s)
	field.Kind, field.Format = kind, e.format(today, &s)
	if trouble != nil {
		field.Problem = trouble.what
	}
	return field
}

// Body returns the content type of fields that were declared when the operation had
// only one: the first of its current content types with all of these fields.
func (r *Requests) Body(operation *model.Operation, fields []spec.FieldPath) string {
	op := r.described(operation)
	if op == nil {
		return ""
	}
	var readable []string
	for _, b := range bodiesOf(op) {
		if b.trouble == nil {
			readable = append(readable, b.contentType)
		}
	}
	for _, contentType := range readable {
		lacks := func(path spec.FieldPath) bool {
			_, found := schemaAt(op, path, contentType)
			return path.In == spec.InBody && !found
		}
		if !slices.ContainsFunc(fields, lacks) {
			return contentType
		}
	}
	return cmp.Or(readable...)
}

// described returns the operation in the document.
func (r *Requests) described(operation *model.Operation) *spec.Operation {
	for _, op := range r.doc.Operations {
		if op.Method == operation.Method && op.Path == operation.Path {
			return op
		}
	}
	return nil
}

// schemaAt returns the schema of a field of the request, in the body of that content
// type.
func schemaAt(op *spec.Operation, path spec.FieldPath, contentType string) (place, bool) {
	steps := path.Steps
	var at place
	if path.In == spec.InBody {
		for _, b := range bodiesOf(op) {
			if b.contentType == contentType && b.trouble == nil {
				at = b.schema
			}
		}
	} else {
		for _, p := range parameters(op) {
			if p.is(spec.FieldPath{In: path.In, Steps: steps[:1]}) {
				at = p.schema()
			}
		}
		steps = steps[1:]
	}
	for _, step := range steps {
		at = schemaBelow(at, step)
	}
	return at, at.exists()
}

// schemaBelow returns the schema one step further; an empty place if there is none.
func schemaBelow(at place, step spec.Step) place {
	if !at.exists() {
		return place{}
	}
	s := shapeOf(at)
	switch {
	case !step.Each:
		return s.properties[step.Name]
	case s.items != nil:
		return *s.items
	case s.extra != nil:
		return *s.extra
	default:
		return place{}
	}
}
