package differential

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
)

// request is one request in writing.
type request struct {
	parameters map[string]map[string]parameterText // by place and name
	body       string                              // as text; "" for none
	trailing   string                              // what follows the body, or stands for it
}

// drawn is what a request says, whatever its spelling.
type drawn struct {
	body       *value
	parameters []*value
}

// draw draws what a request says.
func (op *operation) draw(r *rand.Rand) drawn {
	var d drawn
	if op.body != nil {
		d.body = op.body.drawGiven(r)
		if !op.mustHaveBody && oneIn(r, 6) {
			d.body = &value{}
		}
	}
	for _, p := range op.parameters {
		d.parameters = append(d.parameters, p.drawParameter(r))
	}
	return d
}

// meaning says what a request comes to.
func (op *operation) meaning(d drawn) string {
	var parts []string
	if op.body != nil && op.body.takesPart() {
		parts = append(parts, op.body.meaning(d.body))
	}
	for i, p := range op.parameters {
		if p.takesPart() {
			parts = append(parts, p.name+"="+p.meaning(d.parameters[i]))
		}
	}
	return strings.Join(parts, "; ")
}

// spell writes a request in any way that means the same.
func (op *operation) spell(r *rand.Rand, d drawn) request {
	w := speller{r}
	written := request{parameters: map[string]map[string]parameterText{}}
	for i, p := range op.parameters {
		written.set(p, w.parameter(p, d.parameters[i]))
	}
	if op.body == nil {
		return written
	}
	if body := op.body.otherBody(r, d.body, op.mustHaveBody); body.state != missing {
		written.body = w.space() + w.value(op.body, body) + w.space()
	}
	written.end(r)
	return written
}

// end adds what follows a body and has no influence. Only white space can stand for
// one.
func (q *request) end(r *rand.Rand) {
	q.trailing = pick(r, "", "", " ", "\n\t")
	if q.body != "" && oneIn(r, 6) {
		q.trailing += pick(r, " {", "\nnull", " ]", "\n\"", " \x00")
	}
}

// otherBody chooses between a body, none, null and an empty one, where they mean the
// same. Nothing is sent only if it may be.
func (s *shape) otherBody(r *rand.Rand, v *value, required bool) *value {
	same := []*value{v}
	for _, other := range s.wordings() {
		if s.takesPart() && s.meaning(other) == s.meaning(v) && (other.state != missing || !required) {
			same = append(same, other)
		}
	}
	return pick(r, same...)
}

func (q *request) set(p *shape, text parameterText) {
	if text == nil {
		return
	}
	if q.parameters[p.in] == nil {
		q.parameters[p.in] = map[string]parameterText{}
	}
	q.parameters[p.in][p.name] = text
}

// explained writes a request as explain reads it.
func (q request) explained() string {
	parts := map[string]json.RawMessage{}
	for in, parameters := range q.parameters {
		text, _ := json.Marshal(parameters) // strings always encode
		parts[in] = text
	}
	if q.body != "" {
		// Marshal would compact it, and free-form JSON must come as it is.
		all, _ := json.Marshal(parts)
		separator := ","
		if len(parts) == 0 {
			separator = ""
		}
		return string(all[:len(all)-1]) + separator + `"body":` + q.body + "}"
	}
	all, _ := json.Marshal(parts)
	return string(all)
}

// wire is a request as the driver reads it.
type wire struct {
	Package string              `json:"package"`
	Method  string              `json:"method"`
	Target  string              `json:"target"`
	Header  map[string][]string `json:"header"`
	Body    *[]byte             `json:"body"` // not only Unicode
	Trace   bool                `json:"trace,omitempty"`
}

// wire writes a request as HTTP.
func (op *operation) wire(q request) wire {
	w := wire{Method: strings.ToUpper(op.method), Target: op.path, Header: map[string][]string{"Content-Type": {op.media}}}
	var query, cookies []string
	for _, p := range op.parameters {
		text, sent := q.parameters[p.in][p.name]
		if !sent {
			continue
		}
		switch p.in {
		case "path":
			w.Target = strings.ReplaceAll(w.Target, "{"+p.name+"}", url.PathEscape(joined(text, p.delimiter)))
		case "query":
			query = append(query, queryOf(p, text)...)
		case "header":
			w.Header[p.name] = []string{joined(text, p.delimiter)}
		case "cookie":
			cookies = append(cookies, p.name+"="+joined(text, p.delimiter))
		}
	}
	if query != nil {
		w.Target += "?" + strings.Join(query, "&")
	}
	if cookies != nil {
		w.Header["Cookie"] = []string{strings.Join(cookies, "; ")}
	}
	if text := q.body + q.trailing; text != "" {
		body := []byte(text)
		w.Body = &body
	}
	return w
}

func joined(text parameterText, delimiter string) string {
	if list, ok := text.([]string); ok {
		return strings.Join(list, delimiter)
	}
	return text.(string)
}

func queryOf(p *shape, text parameterText) []string {
	var pairs []string
	add := func(name, text string) {
		pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(text))
	}
	switch text := text.(type) {
	case map[string]string:
		for name, member := range text {
			add(p.name+"["+name+"]", member)
		}
	case []string:
		if p.delimiter != "" {
			add(p.name, strings.Join(text, p.delimiter))
			break
		}
		for _, element := range text {
			add(p.name, element)
		}
	default:
		add(p.name, text.(string))
	}
	return pairs
}
