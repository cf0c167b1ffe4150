package plan

import (
	"fmt"

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
	at, found := schemaAt(op, path)
	if !found {
		v.errorf(v.wayOut(version), "%s, which the document does not have any more", needs)
		return
	}
	kind, format := parseTypeText(field.Type)
	s := shapeOf(at)
	e := &expander{doc: v.doc, list: new(diag.List), texts: v.Options.Texts}
	whole := kind != model.Object // of an object, other fields may say what takes part
	now, trouble := e.kind(value{full: path, schema: at, state: state{decided: whole, takes: whole, path: path}}, &s)
	switch pos := v.doc.PositionOf(at.at); {
	case trouble != nil:
		v.list.Errorf(pos, v.wayOut(version), "%s, and it %s", needs, trouble.what)
	case now != kind, kind == model.Number && (s.format == "float") != (format == "float"):
		v.list.Errorf(pos, v.wayOut(version), "%s, and it is %s now", needs, typeText(now, s.format))
	}
}

// schemaAt returns the schema of a field of the request.
func schemaAt(op *spec.Operation, path spec.FieldPath) (place, bool) {
	steps := path.Steps
	at, trouble := bodySchema(op)
	if path.In != spec.InBody {
		at, trouble = place{}, nil
		for _, p := range parameters(op) {
			if p.is(spec.FieldPath{In: path.In, Steps: steps[:1]}) {
				at = p.schema()
			}
		}
		steps = steps[1:]
	}
	if trouble != nil {
		return place{}, false
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
