package oapi

import (
	"go/types"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// body resolves the declared fields of the body. Generated code holds a pointer
// to it in a variable of that name, which is never nil: where a request has no
// body, it points to a zero value.
func (r *resolver) body(root *model.Node) (*model.CodeBody, *model.CodeNode) {
	field, ok := r.bodyField(root)
	if !ok {
		return nil, nil
	}
	pointer, ok := types.Unalias(field).(*types.Pointer)
	if !ok {
		r.refuse(root, "reaches the business function as a stream, which can be read only once", leaveOut(root))
		return nil, nil
	}
	name := r.spell(pointer.Elem())
	switch {
	case name == "multipart.Reader":
		r.refuse(root, "is multipart and reaches the business function as a stream, which can be read only once", leaveOut(root))
		return nil, nil
	case strings.HasSuffix(name, "FormdataRequestBody"):
		r.refuse(root, "is a form, into which oapi-codegen mixes the parameters of the URL", "send it as application/json, or "+leaveOut(root))
		return nil, nil
	}
	node := r.value(root, place{expr: "body", typ: pointer.Elem(), deref: true})
	return &model.CodeBody{Access: "request.Body", Type: name}, node
}

// bodyField returns the type of the request's Body field.
func (r *resolver) bodyField(root *model.Node) (types.Type, bool) {
	if field, ok := fieldNamed(r.request.request, "Body"); ok {
		return field, true
	}
	bodies := 0
	if structure, ok := r.request.request.Underlying().(*types.Struct); ok {
		for field := range structure.Fields() {
			if strings.HasSuffix(field.Name(), "Body") {
				bodies++
			}
		}
	}
	if bodies > 1 {
		r.refuse(root, "comes in several media types, of which only one is decoded", "keep a single media type, or "+leaveOut(root))
		return nil, false
	}
	r.refuse(root, "is in the document, but the generated "+r.request.request.Obj().Name()+" has no field for it", leaveOut(root))
	return nil, false
}
