package explain

import (
	"net/http"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
)

// Request is a request as its author wrote it down:
//
//	{"path": {…}, "query": {…}, "header": {…}, "cookie": {…}, "contentType": "…", "body": …}
//
// Every part may be missing. A body that is missing is a request without one; its
// content type counts where the operation takes several.
type Request struct {
	source
	body        *value
	contentType *value                       // of the body; nil if it is not given
	parameters  map[string]map[string]*value // by location and name
}

// Name is the name of the file that the request was read from.
func (r *Request) Name() string { return r.file }

// contentType is the part of a request that says what its body is.
const contentType = "contentType"

var locations = []string{"path", "query", "header", "cookie"}

// Read reads a request. name stands for the file in diagnostics; the error is a
// [diag.List].
func Read(name string, data []byte) (*Request, error) {
	r := &Request{source: source{name, string(data)}, parameters: map[string]map[string]*value{}}
	root, err := parse(r.source)
	if err != nil {
		return nil, err
	}
	var list diag.List
	if root.kind != object {
		list.Errorf(r.position(root.at), `write {"path": {…}, "query": {…}, "header": {…}, "cookie": {…}, "body": …}`,
			"a request is an object, not %s", root.kind)
		return nil, list
	}
	seen := map[string]bool{}
	for _, m := range root.members {
		switch {
		case seen[m.name]:
			list.Errorf(r.position(m.at), "keep one", "%s is given twice", m.name)
		case m.name == "body":
			r.body = m.value
		case m.name == contentType:
			r.contentType = m.value
			if m.value.kind != text {
				list.Errorf(r.position(m.value.at), `write "application/json"`, "%s is a string, not %s", m.name, m.value.kind)
			}
		case slices.Contains(locations, m.name):
			r.location(m, &list)
		default:
			list.Errorf(r.position(m.at), diag.DidYouMean(m.name, append([]string{"body", contentType}, locations...)), "%q is not a part of a request", m.name)
		}
		seen[m.name] = true
	}
	return r, list.Err()
}

// location reads the parameters in one part of the request.
func (r *Request) location(in member, list *diag.List) {
	if in.value.kind != object {
		list.Errorf(r.position(in.value.at), `write {"name": value}`, "%s is an object with one member for each parameter, not %s", in.name, in.value.kind)
		return
	}
	found := map[string]*value{}
	for _, m := range in.value.members {
		name := m.name
		if in.name == "header" {
			name = http.CanonicalHeaderKey(name)
		}
		if found[name] != nil {
			list.Errorf(r.position(m.at), "keep one; a parameter that is a list has its elements in one: [a, b]", "%s.%s is given twice", in.name, name)
		}
		found[name] = m.value
	}
	r.parameters[in.name] = found
}

// parameter returns the parameter of that name, or nil.
func (r *Request) parameter(in, name string) *value {
	if in == "header" {
		name = http.CanonicalHeaderKey(name)
	}
	return r.parameters[in][name]
}
