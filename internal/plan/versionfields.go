package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// stillThere reports the fields of an older version that today's document does
// not have any more, or has in another form: a request can then not be compared
// with records of that version.
func (v *versioner) stillThere(version model.LockVersion) {
	op := v.described()
	if op == nil {
		return
	}
	for _, field := range version.Fields {
		v.fieldStillThere(op, version, field)
	}
}

// described is the operation in the document.
func (v *versioner) described() *spec.Operation {
	for _, op := range v.doc.Operations {
		if op.Method == v.operation.Method && op.Path == v.operation.Path {
			return op
		}
	}
	return nil
}

func (v *versioner) fieldStillThere(op *spec.Operation, version model.LockVersion, field model.LockField) {
	path, err := spec.ParseFieldPath(field.Path)
	if err != nil {
		return // which restore reports
	}
	needs := fmt.Sprintf("version %d of %q needs %s as %s", version.Version, v.operation.Name, field.Path, field.Type)
	at, found := schemaAt(op, path, cmp.Or(field.ContentType, v.bodyOf(op, version)))
	if !found {
		v.errorf(v.wayOut(version), "%s, which the document does not have any more", needs)
		return
	}
	kind, format := parseTypeText(field.Type)
	s := shapeOf(at)
	e := &expander{doc: v.doc, list: new(diag.List), goTypes: v.Options.GoTypes}
	whole := kind != model.Object // of an object, other fields may say what takes part
	today := value{full: path, schema: at, state: state{decided: whole, takes: whole, path: path}}
	now, trouble := e.kind(today, &s)
	isFormat := e.format(today, &s)
	switch pos := v.doc.PositionOf(at.at); {
	case trouble != nil:
		v.list.Errorf(pos, v.wayOut(version), "%s, and it %s", needs, trouble.what)
	case now != kind, kind == model.Number && (isFormat == "float") != (format == "float"):
		v.list.Errorf(pos, v.wayOut(version), "%s, and it is %s now", needs, typeText(now, isFormat))
	}
}

// bodyOf returns the content type that a version is about which is from when the
// operation had only one: of those that it has, the first with all fields.
func (v *versioner) bodyOf(op *spec.Operation, version model.LockVersion) string {
	var readable []string
	for _, b := range bodiesOf(op) {
		if b.trouble == nil {
			readable = append(readable, b.contentType)
		}
	}
	for _, contentType := range readable {
		lacks := func(field model.LockField) bool {
			path, err := spec.ParseFieldPath(field.Path)
			if err != nil || path.In != spec.InBody {
				return false
			}
			_, found := schemaAt(op, path, contentType)
			return !found
		}
		if !slices.ContainsFunc(version.Fields, lacks) {
			return contentType
		}
	}
	return cmp.Or(readable...)
}

// schemaAt returns the schema of a field of the request, in the body of that
// content type.
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

// schemaBelow returns the schema one step further; one that does not exist if
// there is none.
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
