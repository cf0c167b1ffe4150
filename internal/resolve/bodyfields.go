package resolve

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// bodyField is the field of the request object that holds one of the bodies: a pointer,
// unless the body is a stream.
type bodyField struct {
	place
	contentType string
}

// bodyFields returns the fields of the request's bodies, by content type; none if
// the request object does not have one for each.
func (w *walker) bodyFields(operation *model.Operation) []bodyField {
	structure, ok := w.method.request.Underlying().(*types.Struct)
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
		at := place{w.request().Field(field.Name()), field.Type()}
		fields = append(fields, bodyField{at, operation.ContentTypes[len(fields)]})
	}
	if len(fields) < len(operation.ContentTypes) {
		return nil
	}
	return fields
}

// declaredBodies are the roots of a fingerprint that are bodies.
func declaredBodies(fingerprint *model.Fingerprint) []*model.Node {
	var roots []*model.Node
	for _, root := range fingerprint.Roots {
		if root.Path == "body" {
			roots = append(roots, root)
		}
	}
	return roots
}

// noBody reports that the generated Go has no field for a body that is declared, or
// that is needed for something else.
func (w *walker) noBody(operation *model.Operation, declared []*model.Node) {
	const problem = "is in the document, but the generated %s has no field for it"
	name := w.method.request.Obj().Name()
	if len(declared) == 0 {
		w.problems.Errorf(operation.Pos, w.regenerate("describe the body with one content type"), "%s: body "+problem, w.route, name)
	}
	for _, root := range declared {
		w.problems.Errorf(root.Pos, w.regenerate(leaveOut(root)), "%s: %s "+problem, w.route, root.Full, name)
	}
}

// body resolves what is declared of one body; nil, and has reported why, where
// that cannot be done. Generated code holds a pointer to the body in a variable called
// body, which is never nil: where a request has no body, it points to a zero value.
func (w *walker) body(root *model.Node, field bodyField, contentType string) *model.GoBody {
	pointed, ok := pointee(field.typ)
	if !ok || w.spell(pointed) == "multipart.Reader" {
		w.refuse(root, "reaches the business function as a stream, which can be read only once", leaveOut(root))
		return nil
	}
	at := place{model.Access{Path: []string{"body"}, Pointer: true}, pointed}
	return &model.GoBody{Access: field.Access, ContentType: contentType, Root: w.value(root, at)}
}

// bodies resolves bodies of which one arrives. What its content type is counts,
// except in a version that is from when there was only one.
func (w *walker) bodies(operation *model.Operation, fingerprint *model.Fingerprint, declared []*model.Node, fields []bodyField) *model.GoBodies {
	result := &model.GoBodies{Required: operation.BodyRequired, HashContentType: fingerprint.HashContentType()}
	for _, field := range fields {
		result.All = append(result.All, field.Access)
	}
	if len(declared) == 0 {
		return result
	}
	for _, field := range fields {
		only := !result.HashContentType && fingerprint.Body == field.contentType // the one that there was
		contentType := field.contentType
		if only {
			contentType = ""
		}
		body := &model.GoBody{Access: field.Access, ContentType: contentType}
		for _, root := range declared {
			if only || root.ContentType == field.contentType {
				if body = w.body(root, field, contentType); body == nil {
					return nil
				}
			}
		}
		if only {
			result.Else = body
		} else {
			result.Cases = append(result.Cases, body)
		}
	}
	return result
}
