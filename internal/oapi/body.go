package oapi

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// bodyField is the field of the request object that holds one of the bodies.
type bodyField struct {
	contentType string
	access      string     // "request.JSONBody"
	typ         types.Type // a pointer, unless the body is a stream
}

// findBodies returns the fields of the request's bodies, by content type; none if
// the request object does not have one for each.
func (r *resolver) findBodies(operation *model.Operation) []bodyField {
	structure, ok := r.request.request.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var fields []bodyField
	for i := range structure.NumFields() {
		field := structure.Field(i)
		if reflect.StructTag(structure.Tag(i)).Get("json") != "" || !strings.HasSuffix(field.Name(), "Body") {
			continue // a parameter of the path
		}
		if len(fields) == len(operation.ContentTypes) {
			return nil
		}
		// oapi-codegen goes through the content types in the same order.
		fields = append(fields, bodyField{operation.ContentTypes[len(fields)], "request." + field.Name(), field.Type()})
	}
	if len(fields) < len(operation.ContentTypes) {
		return nil
	}
	return fields
}

// bodies resolves the declared fields of the bodies. Generated code holds a pointer
// to the one at hand in a variable called body, which is never nil: where a request
// has no body, it points to a zero value.
func (r *resolver) bodies(operation *model.Operation, fingerprint model.Fingerprint, code *model.CodeFingerprint) {
	var roots []*model.Node
	for _, root := range fingerprint.Roots {
		if root.Path == "body" {
			roots = append(roots, root)
		}
	}
	fields := r.findBodies(operation)
	several := len(operation.ContentTypes) > 1
	switch {
	case len(roots) == 0 && (!several || !operation.BodyRequired):
	case len(fields) == 0:
		r.noBody(operation, roots)
	case several || fingerprint.Framed():
		code.Bodies = r.several(operation, fingerprint, roots, fields)
	default:
		body := r.body(roots[0], fields[0])
		if body == nil {
			return
		}
		if body.Root != nil {
			code.Roots = append(code.Roots, body.Root)
		}
		body.Root, code.Body = nil, body
	}
}

func (r *resolver) noBody(operation *model.Operation, roots []*model.Node) {
	const problem = "is in the document, but the generated %s has no field for it"
	name := r.request.request.Obj().Name()
	if len(roots) == 0 {
		r.out.Errorf(operation.Pos, r.mend("describe the body with one content type"), "%s: body "+problem, r.route, name)
	}
	for _, root := range roots {
		r.out.Errorf(root.Pos, r.mend(leaveOut(root)), "%s: %s "+problem, r.route, root.Full, name)
	}
}

// body resolves what is declared of one body; nil, and has reported why, where
// that cannot be done.
func (r *resolver) body(root *model.Node, field bodyField) *model.CodeBody {
	pointer, ok := types.Unalias(field.typ).(*types.Pointer)
	if !ok || r.spell(pointer.Elem()) == "multipart.Reader" {
		r.refuse(root, "reaches the business function as a stream, which can be read only once", leaveOut(root))
		return nil
	}
	return &model.CodeBody{
		Access: field.access,
		Type:   r.spell(pointer.Elem()),
		Root:   r.value(root, place{expr: "body", typ: pointer.Elem(), deref: true}),
	}
}

// several resolves bodies of which one arrives. What its content type is counts,
// except in a version that is from when there was only one.
func (r *resolver) several(operation *model.Operation, fingerprint model.Fingerprint, roots []*model.Node, fields []bodyField) *model.CodeBodies {
	bodies := &model.CodeBodies{Needed: operation.BodyRequired, Framed: fingerprint.Framed()}
	for _, field := range fields {
		bodies.Access = append(bodies.Access, field.access)
		if len(roots) == 0 {
			continue
		}
		body := &model.CodeBody{Access: field.access}
		for _, root := range roots {
			if root.ContentType == field.contentType || !bodies.Framed && fingerprint.Body == field.contentType {
				if body = r.body(root, field); body == nil {
					return nil
				}
			}
		}
		if !bodies.Framed && fingerprint.Body == field.contentType {
			bodies.Else = body
			continue
		}
		body.Label = field.contentType
		bodies.Cases = append(bodies.Cases, body)
	}
	return bodies
}
