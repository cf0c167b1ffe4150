package plan

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// headerToken matches the names that RFC 9110 allows for a header.
var headerToken = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// key plans an operation's key from the annotation, then from the parameter or
// property in the document, then from the defaults.
func (p *planner) key(op *spec.Operation, parameters []parameter) model.Key {
	settings := keySettings(op.Annotation.Key.V, p.defaults().Key.V)
	key := model.Key{
		In:        settings.In.Or(model.InHeader),
		Name:      settings.Name.Or(defaultKeyName),
		Required:  settings.Required.Or(true),
		MaxLength: model.DefaultMaxKeyLength,
		Pos:       op.Annotation.Pos,
	}
	if settings.Name.OK {
		key.Pos = settings.Name.Pos
	}
	if p.supportedKey(settings) {
		if key.InBody() {
			p.bodyKey(&key, settings, op)
		} else {
			p.headerKey(&key, settings, parameters)
		}
		p.annotatedKey(&key, settings)
	}
	return key
}

// keySettings returns an operation's key settings, with defaults applied. Defaults for
// a key in another place only decide whether the key is required.
func keySettings(own, shared spec.Key) spec.Key {
	if own.In.OK && own.In.V != shared.In.Or(model.InHeader) {
		shared = spec.Key{Required: shared.Required}
	}
	return spec.Key{
		In:        pick(own.In, shared.In),
		Name:      pick(own.Name, shared.Name),
		Required:  pick(own.Required, shared.Required),
		MinLength: pick(own.MinLength, shared.MinLength),
		MaxLength: pick(own.MaxLength, shared.MaxLength),
		Pattern:   pick(own.Pattern, shared.Pattern),
		Format:    pick(own.Format, shared.Format),
	}
}

// takenHeaders are those that an OpenAPI parameter cannot describe, and those that
// HTTP itself or a client sets.
var takenHeaders = []string{
	"Accept", "Authorization", "Connection", "Content-Encoding", "Content-Length", "Content-Type",
	"Cookie", "Date", "Host", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// supportedKey reports whether a key is supported in that place and under that name.
func (p *planner) supportedKey(settings spec.Key) bool {
	in, name := settings.In, settings.Name
	switch {
	case in.Present() && !in.OK, name.Present() && !name.OK:
		return false
	case in.OK && in.V == model.InBody && !name.OK:
		p.list.Errorf(in.Pos, "add name: with the name of the property, such as idempotency_key", "a key in the body has no default name")
		return false
	case in.OK && in.V == model.InBody:
		return true
	case in.OK && in.V != model.InHeader:
		p.list.Errorf(in.Pos, "write in: header or in: body", "a key cannot be in %q", in.V)
		return false
	case name.OK && !headerToken.MatchString(name.V):
		p.list.Errorf(name.Pos, "use letters, digits and -", "%q is not a valid header name", name.V)
		return false
	case name.OK && slices.Contains(takenHeaders, http.CanonicalHeaderKey(name.V)):
		p.list.Errorf(name.Pos, "use a separate header, such as Idempotency-Key", "header %s has its own meaning and cannot hold the key", name.V)
		return false
	}
	return true
}

// annotatedKey applies the annotation's own constraints.
func (p *planner) annotatedKey(key *model.Key, settings spec.Key) {
	p.keyLength(key, settings.MinLength, settings.MaxLength)
	if settings.Pattern.OK {
		key.Pattern = settings.Pattern.V
		p.checkPattern(settings.Pattern.Pos, settings.Pattern.V, "rewrite it")
	}
	if settings.Format.OK {
		key.Format = settings.Format.V
		if key.Format != "uuid" {
			p.list.Errorf(settings.Format.Pos, "write format: uuid, or use pattern", "unknown key format %q", key.Format)
		}
	}
}

func (p *planner) keyLength(key *model.Key, minimum, maximum spec.Value[int64]) {
	pos := key.Pos
	if maximum.OK {
		key.MaxLength, pos = int(min(maximum.V, maxKeyBytes)), maximum.Pos
	}
	if minimum.OK {
		key.MinLength, pos = int(min(minimum.V, maxKeyBytes)), minimum.Pos
	}
	switch {
	case minimum.OK && minimum.V < 1:
		p.list.Errorf(minimum.Pos, "remove it", "a key cannot be empty: minLength must be at least 1")
	case maximum.OK && (maximum.V < 1 || maximum.V > maxKeyBytes):
		p.list.Errorf(maximum.Pos, "write 255, for example", "maxLength of a key must be from 1 to %d", maxKeyBytes)
	case key.MinLength > key.MaxLength, key.MaxLength < 1:
		p.list.Errorf(pos, "correct one of the two in key: of x-idempotent",
			"no key can be at least %d and at most %d characters long", max(key.MinLength, 1), key.MaxLength)
	}
}

func (p *planner) checkPattern(pos diag.Position, pattern, remedy string) {
	if _, err := regexp.Compile(pattern); err != nil {
		p.list.Errorf(pos, remedy, "the key's pattern is not a valid Go regular expression: %s",
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
}

// declaredKey is the document's description of a key.
type declaredKey struct {
	what     string // "header Idempotency-Key"
	required bool
	at       spec.Pointer
	schema   place
}

// headerKey applies the constraints of the document's parameter where the annotation
// has none.
func (p *planner) headerKey(key *model.Key, settings spec.Key, parameters []parameter) {
	name := spec.FieldPath{In: spec.InHeader, Steps: []spec.Step{{Name: key.Name}}}
	for _, declared := range parameters {
		if declared.is(name) {
			p.declaredKey(key, settings, declaredKey{"header " + key.Name, declared.Required, declared.at, declared.schema()})
		}
	}
}

// bodyKey looks up the property in every body that the operation accepts.
func (p *planner) bodyKey(key *model.Key, settings spec.Key, op *spec.Operation) {
	bodies := bodiesOf(op)
	if len(bodies) == 0 {
		p.list.Errorf(key.Pos, "write in: header", "the key is declared in the body, but %s %s has none", op.Method, op.Path)
	}
	for _, body := range bodies {
		if body.trouble != nil {
			p.list.Errorf(key.Pos, body.trouble.remedy, "the key is declared in the body, which %s", body.trouble.what)
			continue
		}
		s := shapeOf(body.schema)
		property, ok := s.properties[key.Name]
		if !ok {
			p.list.Errorf(key.Pos, cmp.Or(diag.DidYouMean(key.Name, sortedKeys(s.properties)), "add the property, in an overlay if you cannot change the document"),
				"the body%s has no property %q (%s)", body.as(), key.Name, p.doc.PositionOf(body.schema.at))
			continue
		}
		what := keyPath(key.Name).String()
		if shapeOf(property).readOnly {
			p.list.Errorf(key.Pos, "remove readOnly from the property", "%s (%s) is readOnly, so it is not a part of a request", what, p.doc.PositionOf(property.at))
			continue
		}
		p.declaredKey(key, settings, declaredKey{what, s.requires(key.Name), property.at, property})
	}
}

// keyPath is the path of a key in the body.
func keyPath(name string) spec.FieldPath {
	return spec.FieldPath{In: spec.InBody, Steps: []spec.Step{{Name: name}}}
}

func (p *planner) declaredKey(key *model.Key, settings spec.Key, declared declaredKey) {
	if !declared.required && !settings.Required.Present() {
		p.list.Warnf(p.doc.PositionOf(declared.at), "write key: {required: true} in x-idempotent if that is intended, or required: false",
			"%s is optional here, but an idempotent operation responds with 400 without it", declared.what)
	}
	if declared.schema.exists() {
		p.declaredSchema(key, settings, declared)
	}
}

func (p *planner) declaredSchema(key *model.Key, settings spec.Key, declared declaredKey) {
	s := shapeOf(declared.schema)
	if kind, trouble := s.kind(); trouble != nil || kind != model.String && kind != model.UUID {
		p.list.Errorf(key.Pos, "describe it as a string", "%s (%s) is not a string, as a key must be", declared.what, p.doc.PositionOf(declared.at))
		return
	}
	if s.format == "uuid" && !settings.Format.Present() {
		key.Format = "uuid"
	}
	for _, part := range s.parts {
		p.declaredPart(key, settings, declared, part)
	}
}

// declaredPart applies the constraints of one of the schemas that the key's schema
// consists of.
func (p *planner) declaredPart(key *model.Key, settings spec.Key, declared declaredKey, part *openapi3.Schema) {
	if part.MinLength > 1 && !settings.MinLength.Present() {
		key.MinLength = int(min(part.MinLength, maxKeyBytes+1))
	}
	if part.MaxLength != nil && !settings.MaxLength.Present() {
		p.declaredMaxLength(key, *part.MaxLength, declared)
	}
	if part.Pattern != "" && !settings.Pattern.Present() {
		key.Pattern = part.Pattern
		p.checkPattern(p.doc.PositionOf(declared.at), part.Pattern, "write one in Go's syntax as key: {pattern: ...} in x-idempotent")
	}
}

func (p *planner) declaredMaxLength(key *model.Key, length uint64, declared declaredKey) {
	if length > maxKeyBytes {
		p.list.Warnf(p.doc.PositionOf(declared.at), "write key: {maxLength: ...} in x-idempotent",
			"%s may be %d characters long here, but a key is at most %d", declared.what, length, maxKeyBytes)
		length = maxKeyBytes
	}
	key.MaxLength = int(length)
}
