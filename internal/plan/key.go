package plan

import (
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// headerToken is what RFC 9110 lets a header be called.
var headerToken = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// key plans an operation's key: what the annotation says, else what the document
// says of the parameter, else the defaults.
func (p *planner) key(op *spec.Operation, parameters []parameter) model.Key {
	own, shared := op.Annotation.Key.V, p.defaults().Key.V
	settings := spec.Key{
		In:        pick(own.In, shared.In),
		Name:      pick(own.Name, shared.Name),
		Required:  pick(own.Required, shared.Required),
		MinLength: pick(own.MinLength, shared.MinLength),
		MaxLength: pick(own.MaxLength, shared.MaxLength),
		Pattern:   pick(own.Pattern, shared.Pattern),
		Format:    pick(own.Format, shared.Format),
	}
	key := model.Key{Name: settings.Name.Or(defaultKeyName), Required: true, MaxLength: defaultKeyMax, Pos: op.Annotation.Pos}
	if settings.Name.OK {
		key.Pos = settings.Name.Pos
	}
	if p.supportedKey(settings) {
		p.declaredKey(&key, settings, parameters)
		p.annotatedKey(&key, settings)
	}
	return key
}

// supportedKey reports whether the key is of a kind that exists so far.
func (p *planner) supportedKey(settings spec.Key) bool {
	switch {
	case settings.In.OK && settings.In.V == "body":
		p.list.Errorf(settings.In.Pos, "use a header", "a key in the body is not supported yet")
		return false
	case settings.In.OK && settings.In.V != "header":
		p.list.Errorf(settings.In.Pos, "write in: header", "a key cannot be in %q", settings.In.V)
		return false
	case settings.Name.OK && !headerToken.MatchString(settings.Name.V):
		p.list.Errorf(settings.Name.Pos, "use letters, digits and -", "%q is not a name that a header can have", settings.Name.V)
		return false
	}
	if settings.Required.OK && !settings.Required.V {
		p.list.Errorf(settings.Required.Pos, "remove it", "optional keys are not supported yet")
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
		p.list.Errorf(minimum.Pos, "remove it", "an empty key is no key: minLength must be at least 1")
	case maximum.OK && (maximum.V < 1 || maximum.V > maxKeyBytes):
		p.list.Errorf(maximum.Pos, "write 255, for example", "maxLength of a key must be from 1 to %d", maxKeyBytes)
	case key.MinLength > key.MaxLength, key.MaxLength < 1:
		p.list.Errorf(pos, "correct one of the two in key: of x-idempotent",
			"no key can be at least %d and at most %d characters long", max(key.MinLength, 1), key.MaxLength)
	}
}

func (p *planner) checkPattern(pos diag.Position, pattern, remedy string) {
	if _, err := regexp.Compile(pattern); err != nil {
		p.list.Errorf(pos, remedy, "the key's pattern is not a regular expression of Go: %s",
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
}

// declaredKey takes the constraints of the document's own parameter, as far as
// the annotation does not have its own.
func (p *planner) declaredKey(key *model.Key, settings spec.Key, parameters []parameter) {
	name := spec.FieldPath{In: spec.InHeader, Steps: []spec.Step{{Name: key.Name}}}
	for _, declared := range parameters {
		if !declared.is(name) {
			continue
		}
		if !declared.Required && !settings.Required.Present() {
			p.list.Warnf(p.doc.PositionOf(declared.at), "write key: {required: true} in x-idempotent if that is meant",
				"header %s is optional here, but an idempotent operation answers 400 without it", key.Name)
		}
		if declared.schema().exists() {
			p.declaredSchema(key, settings, declared)
		}
	}
}

func (p *planner) declaredSchema(key *model.Key, settings spec.Key, declared parameter) {
	s := shapeOf(declared.schema())
	if kind, trouble := s.kind(); trouble != nil || kind != model.String && kind != model.UUID {
		p.list.Errorf(key.Pos, "describe the header as a string",
			"header %s (%s) is not a string, as a key must be", key.Name, p.doc.PositionOf(declared.at))
		return
	}
	if s.format == "uuid" && !settings.Format.Present() {
		key.Format = "uuid"
	}
	for _, part := range s.parts {
		p.declaredPart(key, settings, declared, part)
	}
}

// declaredPart takes the constraints of one schema that the parameter is made of.
func (p *planner) declaredPart(key *model.Key, settings spec.Key, declared parameter, part *openapi3.Schema) {
	if part.MinLength > 1 && !settings.MinLength.Present() {
		key.MinLength = int(min(part.MinLength, maxKeyBytes+1))
	}
	if part.MaxLength != nil && !settings.MaxLength.Present() {
		p.declaredMaxLength(key, *part.MaxLength, declared)
	}
	if part.Pattern != "" && !settings.Pattern.Present() {
		key.Pattern = part.Pattern
		p.checkPattern(p.doc.PositionOf(declared.at), part.Pattern, "write one that Go understands as key: {pattern: ...} in x-idempotent")
	}
}

func (p *planner) declaredMaxLength(key *model.Key, length uint64, declared parameter) {
	if length > maxKeyBytes {
		p.list.Warnf(p.doc.PositionOf(declared.at), "write key: {maxLength: ...} in x-idempotent",
			"header %s may be %d characters long here, but a key is at most %d", key.Name, length, maxKeyBytes)
		length = maxKeyBytes
	}
	key.MaxLength = int(length)
}
