package plan

import (
	"mime"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// body is one of the bodies that a request can have.
type body struct {
	contentType string
	several     bool // the operation has other bodies, too
	at          spec.Pointer
	schema      place
	trouble     *problem // why no field of it can be declared, or nil
}

// as distinguishes the body from others in messages.
func (b body) as() string {
	if !b.several {
		return ""
	}
	return " (" + b.contentType + ")"
}

func (b body) isForm() bool { return b.contentType == formType }

const (
	formType = "application/x-www-form-urlencoded"
	textType = "text/plain"
)

// bodiesOf returns the bodies of an operation, by content type.
func bodiesOf(op *spec.Operation) []body {
	ref := op.OpenAPI.RequestBody
	if ref == nil || ref.Value == nil {
		return nil
	}
	types := sortedKeys(ref.Value.Content)
	if len(types) == 0 {
		return []body{{at: op.Pointer.Child("requestBody"), trouble: &problem{
			"must have a content type to be declared, but has none", "add body to ignore, or describe an application/json body",
		}}}
	}
	var bodies []body
	for _, contentType := range types {
		b := body{contentType: contentType, several: len(types) > 1, at: op.Pointer.Child("requestBody", "content", contentType)}
		b.schema.at = b.at.Child("schema")
		if content := ref.Value.Content[contentType]; content != nil {
			b.schema.ref = content.Schema
		}
		b.trouble = b.findTrouble()
		if !b.several {
			b.at = op.Pointer.Child("requestBody")
		}
		bodies = append(bodies, b)
	}
	return bodies
}

func (b body) findTrouble() *problem {
	remedy := "add body to ignore, or describe an application/json body"
	if b.several {
		remedy = "add body to ignore, or remove the content type from the operation"
	}
	if !isJSON(b.contentType) && !b.isForm() && b.contentType != textType {
		return &problem{"is " + b.contentType + ", which the business function receives as a stream that can be read only once", remedy}
	}
	if !b.schema.exists() {
		return &problem{"has no schema" + b.as(), "give it one, or add body to ignore"}
	}
	s := shapeOf(b.schema)
	if kind, trouble := s.kind(); b.contentType == textType && (trouble != nil || kind != model.String) {
		return &problem{"is " + textType + " without being described as a string", "describe it as {type: string}, or add body to ignore"}
	}
	return nil
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// body returns the roots of the declared parts of the bodies.
func (r *request) body() []*model.Node {
	sel := r.selection.child(spec.Step{Name: string(spec.InBody)})
	bodies := bodiesOf(r.op)
	switch {
	case len(bodies) == 0:
		if sel != nil {
			sel.each(func(path spec.FieldPath, pos diag.Position) {
				r.list.Errorf(pos, "remove it", "field %s does not exist: the operation has no request body", path)
			})
		}
		return nil
	case sel != nil && sel.leaf() && sel.ignored != nil:
		return nil
	}
	var roots []*model.Node
	for i, part := range r.shares(sel, bodies) {
		r.form = bodies[i].isForm()
		if root := r.bodyRoot(bodies[i], part); root != nil {
			roots = append(roots, root)
		}
	}
	r.form = false
	r.undecided = distinct(r.undecided)
	return roots
}

// bodyRoot returns the root of the declared part of one body.
func (r *request) bodyRoot(b body, sel *selection) *model.Node {
	full := spec.FieldPath{In: spec.InBody}
	if sel == nil || b.trouble != nil && b.several && sel.field == nil && sel.leaf() {
		if sel == nil || sel.ignored == nil {
			r.undecidedBody(b)
		}
		return nil
	}
	v := value{full: full, framing: full, schema: b.schema, sel: sel, required: true}
	v.decoding = decoding{zero: true, required: r.op.OpenAPI.RequestBody.Value.Required}
	if b.trouble != nil {
		v.shown = b.at
		r.refuse(v, *b.trouble)
		return nil
	}
	root := r.walk(v)
	if root != nil && b.several {
		root.ContentType = b.contentType
	}
	return root
}

// undecidedBody records that no field of a body is selected: with its properties, if
// it has any, so that each can be decided separately.
func (r *request) undecidedBody(b body) {
	if b.trouble == nil {
		s := shapeOf(b.schema)
		for _, name := range sortedKeys(s.properties) {
			r.member(value{full: spec.FieldPath{In: spec.InBody}}, &s, name)
		}
		if len(s.properties) > 0 {
			return
		}
	}
	r.undecided = append(r.undecided, undecided{string(spec.InBody) + b.as(), r.doc.PositionOf(b.at)})
}

// distinct keeps only the first of several fields that are undecided in several
// bodies.
func distinct(fields []undecided) []undecided {
	seen := make(map[string]bool)
	return slices.DeleteFunc(fields, func(field undecided) bool {
		again := seen[field.path]
		seen[field.path] = true
		return again
	})
}

// shares returns, for each of several bodies, the part of the selection that exists in
// it. Fields that no body has are in the share of the first, where they are reported.
func (r *request) shares(sel *selection, bodies []body) []*selection {
	shares := slices.Repeat([]*selection{sel}, len(bodies))
	first := slices.IndexFunc(bodies, func(b body) bool { return b.trouble == nil })
	if len(bodies) == 1 || sel == nil || first < 0 {
		return shares
	}
	found := make(map[*selection]bool)
	for _, b := range bodies {
		if b.trouble == nil {
			sel.foundIn(b.schema, found)
		}
	}
	for i, b := range bodies {
		shares[i] = sel.share(b.schema, func(child *selection, schema place) bool {
			return schema.exists() || i == first && !found[child]
		})
	}
	return shares
}

// foundIn records which fields of the selection a schema has.
func (s *selection) foundIn(schema place, found map[*selection]bool) {
	for _, step := range s.names {
		if below := schemaBelow(schema, step); below.exists() {
			found[s.children[step]] = true
			s.children[step].foundIn(below, found)
		}
	}
}

// share returns the part of s that is wanted; nil if it is empty.
func (s *selection) share(schema place, wanted func(*selection, place) bool) *selection {
	part := *s
	part.children, part.names = make(map[spec.Step]*selection), nil
	for _, step := range s.names {
		child, below := s.children[step], schemaBelow(schema, step)
		if !wanted(child, below) {
			continue
		}
		if child = child.share(below, wanted); child != nil {
			part.children[step] = child
			part.names = append(part.names, step)
		}
	}
	if len(part.names) == 0 && part.field == nil && part.ignored == nil {
		return nil
	}
	return &part
}
