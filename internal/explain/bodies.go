package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// declared is what an operation declares of one request: of several bodies, the one
// that the request has.
type declared struct {
	roots           []*model.Node
	hashContentType bool   // which body it is is part of the fingerprint
	body            string // its content type; "" for none
}

// declaredOf chooses among bodies as the generated server does.
func declaredOf(op *model.Operation, r *Request) (declared, error) {
	if len(op.ContentTypes) < 2 {
		return declared{roots: op.Fingerprint.Roots}, nil
	}
	d := declared{hashContentType: op.Fingerprint.HashContentType()}
	var list diag.List
	switch given, ok := r.bodyType(op); {
	case r.body == nil:
	case !ok:
		list.Errorf(r.position(r.body.at), `add "contentType": with one of `+strings.Join(op.ContentTypes, ", "), "body may be of several content types")
	default:
		i := slices.IndexFunc(op.ContentTypes, func(known string) bool { return strings.HasPrefix(given, known) })
		if i >= 0 {
			d.body = op.ContentTypes[i]
		}
	}
	if d.body == "text/plain" && r.body.text == "" && !op.BodyRequired {
		d.body = ""
	}
	if d.body == "" && op.BodyRequired && len(list) == 0 {
		at := cmp.Or(r.contentType, &value{})
		list.Errorf(r.position(at.at), "", "body is missing, or is none of %s: a request without one of them is refused", strings.Join(op.ContentTypes, ", "))
	}
	for _, root := range op.Fingerprint.Roots {
		if root.Path != "body" || root.ContentType == d.body {
			d.roots = append(d.roots, root)
		}
	}
	return d, list.Err()
}

// bodyType is the content type of the body: application/json where the request does
// not say and the operation takes that.
func (r *Request) bodyType(op *model.Operation) (string, bool) {
	const usual = "application/json"
	if r.contentType != nil {
		return r.contentType.text, true
	}
	return usual, slices.Contains(op.ContentTypes, usual)
}

// label is the member that says what the body is.
func (d declared) label() *slot {
	s := &slot{node: &model.Node{Name: "content-type", Path: "content-type", Full: "content-type", Kind: model.String}}
	if d.body != "" {
		s.set(stringLeaf(d.body))
	}
	return s
}

// isForm reports whether a body comes as a form.
func isForm(op *model.Operation, root *model.Node) bool {
	const form = "application/x-www-form-urlencoded"
	return root.ContentType == form || len(op.ContentTypes) == 1 && op.ContentTypes[0] == form
}
