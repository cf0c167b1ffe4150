package vectors

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// wire is a request as a client sends it, in the form that the driver reads.
type wire struct {
	Package string            `json:"package"`
	Method  string            `json:"method"`
	Target  string            `json:"target"`
	Header  map[string]string `json:"header"`
	Cookies map[string]string `json:"cookies"`
	Body    string            `json:"body"`
}

// written is a request as the vectors write it.
type written struct {
	Path   map[string]json.RawMessage `json:"path"`
	Query  map[string]json.RawMessage `json:"query"`
	Header map[string]json.RawMessage `json:"header"`
	Cookie map[string]json.RawMessage `json:"cookie"`
	Body   json.RawMessage            `json:"body"`

	ContentType string `json:"contentType"`
}

// send writes the request of a vector as HTTP.
func send(t *testing.T, method, template string, op operation, request json.RawMessage) wire {
	t.Helper()
	var r written
	if err := json.Unmarshal(request, &r); err != nil {
		t.Fatal(err)
	}
	w := wire{Method: strings.ToUpper(method), Header: map[string]string{}, Cookies: map[string]string{}, Body: string(r.Body)}
	if r.ContentType != "" {
		w.Header["Content-Type"] = r.ContentType
	}
	if strings.HasPrefix(r.ContentType, "text/") {
		w.Body = texts(t, r.Body)[0]
	}
	for name, value := range r.Path {
		template = strings.ReplaceAll(template, "{"+name+"}", url.PathEscape(strings.Join(texts(t, value), ",")))
	}
	query := url.Values{}
	for name, value := range r.Query {
		addQuery(t, query, parameterOf(t, op, "query", name), value)
	}
	for name, value := range r.Header {
		w.Header[name] = strings.Join(texts(t, value), ",")
	}
	for name, value := range r.Cookie {
		w.Cookies[name] = strings.Join(texts(t, value), ",")
	}
	w.Target = template
	if len(query) > 0 {
		w.Target += "?" + query.Encode()
	}
	return w
}

func addQuery(t *testing.T, query url.Values, p parameter, value json.RawMessage) {
	t.Helper()
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) == nil && members != nil {
		for name, member := range members {
			query.Set(p.Name+"["+name+"]", texts(t, member)[0])
		}
		return
	}
	elements := texts(t, value)
	if p.Explode != nil && !*p.Explode {
		elements = []string{strings.Join(elements, ",")}
	}
	for _, element := range elements {
		query.Add(p.Name, element)
	}
}

func parameterOf(t *testing.T, op operation, in, name string) parameter {
	t.Helper()
	for _, p := range op.Parameters {
		if p.In == in && p.Name == name {
			return p
		}
	}
	t.Fatalf("%s has no parameter %s.%s", op.ID, in, name)
	return parameter{}
}

// texts returns the values of a parameter.
func texts(t *testing.T, value json.RawMessage) []string {
	t.Helper()
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	all := []string{}
	for _, element := range list {
		var text string
		if json.Unmarshal(element, &text) != nil {
			text = string(element)
		}
		all = append(all, text)
	}
	return all
}
