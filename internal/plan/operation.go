package plan

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// operation plans one annotated operation. It is nil if too little of it is valid to
// compare it with others.
func (p *planner) operation(op *spec.Operation) *model.Operation {
	a := op.Annotation
	parameters := parameters(op)
	operation := &model.Operation{Method: op.Method, Path: op.Path, ID: op.ID.V, Mode: model.Transaction, Pos: a.Pos, ScopePos: a.Scope.Pos}
	operation.Name = p.storedName(op)
	operation.Scope = p.scopeOf(op, parameters)
	operation.Key = p.key(op, parameters)
	if body := op.OpenAPI.RequestBody; body != nil && body.Value != nil {
		operation.ContentTypes, operation.BodyRequired = sortedKeys(body.Value.Content), body.Value.Required
	}
	p.answers(op, operation)
	p.limits(op, operation)
	p.responses(op)
	if mode := pick(a.Mode, p.defaults().Mode); mode.OK && mode.V != model.Transaction {
		p.mode(mode)
	}
	operation.Fingerprint = p.fingerprint(op, operation, parameters)
	operation.Versions = p.versions(op.Annotation.Fingerprint)
	if operation.Scope == nil || operation.Name == "" {
		return nil
	}
	p.checkIndexRow(operation)
	return operation
}

func (p *planner) mode(mode spec.Value[string]) {
	if mode.V == "lease" {
		p.list.Errorf(mode.Pos, "use mode: transaction, which is the default", "mode lease is not supported yet")
		return
	}
	p.list.Errorf(mode.Pos, "use mode: transaction, which is the default", "unknown mode %q", mode.V)
}

// maxName is the number of bytes of a key that a stored name may use.
const maxName = 255

// storedName returns the name under which the operation's keys are stored, or "".
func (p *planner) storedName(op *spec.Operation) string {
	name := op.Annotation.Name
	if !op.ID.Present() && !name.Present() {
		p.list.Errorf(op.Pos, "add operationId, which names the generated Go code and the stored keys, or name: in x-idempotent, which names only the keys",
			"%s %s has x-idempotent but no operationId", op.Method, op.Path)
	}
	if !name.Present() {
		name = op.ID
	}
	if !name.OK {
		return ""
	}
	bad := strings.ContainsFunc(name.V, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
	if bad || len(name.V) > maxName {
		p.list.Errorf(name.Pos, fmt.Sprintf("use at most %d printable characters in name:", maxName),
			"%q is not a valid name for stored keys", name.V)
		return ""
	}
	return name.V
}

// scopeOf returns the operation's scope, or nil if it is invalid, which has been
// reported.
func (p *planner) scopeOf(op *spec.Operation, parameters []parameter) *model.Scope {
	name := op.Annotation.Scope
	if !name.Present() {
		if !op.Annotation.Malformed {
			p.list.Errorf(op.Annotation.Pos, "add scope: with a name declared at the document's root", "x-idempotent has no scope")
		}
		return nil
	}
	if !name.OK {
		return nil
	}
	scope, declared := p.scopes[name.V]
	if !declared {
		if p.doc.Root == nil || !p.doc.Root.Malformed {
			p.unknownScope(name)
		}
		return nil
	}
	for _, column := range p.columns[name.V] {
		p.checkSource(op, column, parameters)
	}
	return scope
}

// answers plans which responses are recorded, and the statuses of idemgen's own
// responses.
func (p *planner) answers(op *spec.Operation, operation *model.Operation) {
	a, defaults := op.Annotation, p.defaults()
	operation.Final = []string{"2XX"}
	if final := pick(a.Final, defaults.Final); final.OK {
		operation.Final = p.final(op, final)
	}
	operation.NotFinal = notFinal(op.OpenAPI, operation.Final)
	operation.Headers = p.replayHeaders(op, pick(a.Replay.V.Headers, defaults.Replay.V.Headers))
	own, shared := a.Status.V, defaults.Status.V
	operation.Mismatch = p.status("mismatch", pick(own.Mismatch, shared.Mismatch), model.DefaultMismatch)
	operation.InFlight = p.status("inFlight", pick(own.InFlight, shared.InFlight), model.DefaultInFlight)
	operation.Expired = p.status("expired", pick(own.Expired, shared.Expired), model.DefaultExpired)
}

func (p *planner) final(op *spec.Operation, final spec.Value[[]spec.Value[string]]) []string {
	var patterns []string
	success := false
	for _, pattern := range final.V {
		switch {
		case slices.Contains(patterns, pattern.V):
			p.list.Errorf(pattern.Pos, "remove one of the two", "final lists %s twice", pattern.V)
			continue
		case pattern.V[0] == '1':
			p.list.Errorf(pattern.Pos, "remove it", "%s cannot be final: it is not a complete response", pattern.V)
			continue
		case !mayAnswer(op.OpenAPI, pattern.V):
			p.list.Warnf(pattern.Pos, "declare the response, or remove it", "final lists %s, and %s %s has no such response", pattern.V, op.Method, op.Path)
		}
		success = success || pattern.V[0] == '2'
		patterns = append(patterns, pattern.V)
	}
	if !success {
		p.list.Errorf(final.Pos, "add 2XX", "final lists no success status, so successful calls would never be replayed")
	}
	return patterns
}

// notFinal returns the declared responses that no pattern covers.
func notFinal(op *openapi3.Operation, final []string) []string {
	covered := func(declared string) bool {
		return slices.ContainsFunc(final, func(pattern string) bool {
			class, isClass := strings.CutSuffix(pattern, "XX")
			return declared == pattern || isClass && strings.HasPrefix(declared, class)
		})
	}
	var rest []string
	for declared := range op.Responses.Map() {
		if declared == "default" || !covered(strings.ToUpper(declared)) {
			rest = append(rest, declared)
		}
	}
	slices.Sort(rest)
	return rest
}

// mayAnswer reports whether the operation declares a response that pattern covers.
func mayAnswer(op *openapi3.Operation, pattern string) bool {
	for declared := range op.Responses.Map() {
		declared = strings.ToUpper(declared)
		if declared == "DEFAULT" || declared == pattern {
			return true
		}
		if declared[:1] == pattern[:1] && (strings.HasSuffix(pattern, "XX") || strings.HasSuffix(declared, "XX")) {
			return true
		}
	}
	return false
}

func (p *planner) status(what string, status spec.Value[int64], fallback int) int {
	if status.OK && (status.V < 400 || status.V > 499) {
		p.list.Errorf(status.Pos, fmt.Sprintf("use a status from 400 to 499; the default is %d", fallback),
			"status.%s is %d: the status must say that the request was not executed", what, status.V)
	}
	return int(status.Or(int64(fallback)))
}

// unreplayed are headers that belong to a single response and are never recorded.
var unreplayed = []string{
	"Set-Cookie", "Set-Cookie2", "Date", "Content-Length", "Connection", "Keep-Alive", "Proxy-Authenticate",
	"Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Idempotent-Replayed",
}

// replayHeaders returns the headers that are recorded in addition to Content-Type,
// which always is: those of the annotation, else all that the responses declare.
func (p *planner) replayHeaders(op *spec.Operation, annotated spec.Value[[]spec.Value[string]]) []string {
	headers := make(map[string]bool)
	if !annotated.OK {
		headers = declaredHeaders(op.OpenAPI)
	}
	for _, header := range annotated.V {
		name := http.CanonicalHeaderKey(header.V)
		switch {
		case !headerToken.MatchString(name):
			p.list.Errorf(header.Pos, "use letters, digits and -", "%q is not a valid header name", header.V)
		case slices.Contains(unreplayed, name):
			p.list.Errorf(header.Pos, "remove it", "header %s belongs to a single response and is never replayed", name)
		default:
			headers[name] = true
		}
	}
	delete(headers, "Content-Type")
	return sortedKeys(headers)
}

// declaredHeaders returns the replayable headers of all responses.
func declaredHeaders(op *openapi3.Operation) map[string]bool {
	headers := make(map[string]bool)
	for _, response := range op.Responses.Map() {
		if response == nil || response.Value == nil {
			continue
		}
		for name := range response.Value.Headers {
			name = http.CanonicalHeaderKey(name)
			if headerToken.MatchString(name) && !slices.Contains(unreplayed, name) {
				headers[name] = true
			}
		}
	}
	return headers
}

// limits plans durations and sizes.
func (p *planner) limits(op *spec.Operation, operation *model.Operation) {
	a, defaults := op.Annotation, p.defaults()
	window := pick(a.Replay.V.Window, defaults.Replay.V.Window)
	operation.Window = window.Or(defaultWindow)
	if window.OK && (window.V < time.Minute || window.V%time.Second != 0) {
		p.list.Errorf(window.Pos, "write a duration such as 72h", "replay.window is %s: it must be whole seconds and at least one minute", window.V)
	}
	wait := pick(a.InFlight.V.Wait, defaults.InFlight.V.Wait)
	operation.Wait = wait.Or(model.DefaultWait)
	if wait.OK && wait.V == 0 {
		p.list.Errorf(wait.Pos, "write a duration such as 3s; idem.WithMaxWaiters(0) refuses duplicates at once",
			"inFlight.wait is 0s: it also limits the time to get a connection and claim the key")
	}
	retryAfter := pick(a.InFlight.V.RetryAfter, defaults.InFlight.V.RetryAfter)
	operation.RetryAfter = retryAfter.Or(model.DefaultRetryAfter)
	if retryAfter.OK && (retryAfter.V < time.Second || retryAfter.V%time.Second != 0) {
		p.list.Errorf(retryAfter.Pos, "write a duration such as 2s", "inFlight.retryAfter is %s: it must be whole seconds and at least one", retryAfter.V)
	}
	maxBody := pick(a.MaxBody, defaults.MaxBody)
	operation.MaxBody = maxBody.Or(model.DefaultMaxBody)
	if maxBody.OK && maxBody.V < 1 {
		p.list.Errorf(maxBody.Pos, "write a size such as 1MiB", "maxBody must be at least 1 byte")
	}
}

// responses reports responses that cannot be recorded.
func (p *planner) responses(op *spec.Operation) {
	all := op.OpenAPI.Responses.Map()
	for _, status := range sortedKeys(all) {
		if all[status] == nil || all[status].Value == nil {
			continue
		}
		refuse := func(what string, at ...string) {
			p.list.Errorf(op.Annotation.Pos, "remove x-idempotent, or respond with a plain body",
				"%s %s has a response %s of %s (%s), which cannot be recorded", op.Method, op.Path, status, what,
				p.doc.PositionOf(op.Pointer.Child(append([]string{"responses", status}, at...)...)))
		}
		if status == strconv.Itoa(http.StatusPartialContent) {
			refuse("partial content")
		}
		for _, contentType := range sortedKeys(all[status].Value.Content) {
			if media, _, err := mime.ParseMediaType(contentType); err == nil && isStream(media) {
				refuse(media, "content", contentType)
			}
		}
	}
}

// streams are media types without a defined end.
var streams = []string{
	"text/event-stream", "application/json-seq", "application/geo+json-seq", "application/stream+json",
	"application/jsonl", "application/x-jsonlines", "application/jsonlines", "application/ndjson", "application/x-ndjson",
}

// isStream reports whether a response of that media type is continuous, or is written
// by oapi-codegen in parts with a new boundary each time.
func isStream(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	return slices.Contains(streams, media) || slices.Contains([]string{"multipart", "audio", "video"}, kind)
}

// fingerprint plans which fields decide the meaning of a request.
func (p *planner) fingerprint(op *spec.Operation, operation *model.Operation, parameters []parameter) model.Fingerprint {
	annotated := op.Annotation.Fingerprint
	planned := model.Fingerprint{Version: int(annotated.V.Version.Or(1)), Pos: annotated.Key}
	if !annotated.Present() {
		planned.Pos = op.Annotation.Pos
		if !op.Annotation.Malformed {
			p.list.Errorf(op.Annotation.Pos, "add fingerprint: with a list of fields such as [body.amount]", "x-idempotent has no fingerprint")
		}
		return planned
	}
	if !annotated.OK {
		return planned
	}
	fields := annotated.V.Fields
	if !fields.Present() {
		p.list.Errorf(annotated.Pos, "add fields: with a list such as [body.amount]", "fingerprint has no fields")
		return planned
	}
	r := &request{
		expander:   newExpander(p.doc, &p.list, p.options),
		op:         op,
		parameters: parameters,
		selection:  newSelection(fields.V, annotated.V.Ignore.V, &p.list),
		exempt:     p.exempt(op, operation),
	}
	if operation.Key.InBody() {
		key := keyPath(operation.Key.Name)
		r.key = &key
	}
	p.refuseKey(r.selection, operation)
	planned.Roots = r.roots()
	for _, ignored := range annotated.V.Ignore.V {
		planned.Ignored = append(planned.Ignored, canonical(ignored.V).String())
	}
	slices.Sort(planned.Ignored)
	if fields.OK && !op.Annotation.Malformed {
		p.reportUndecided(op, r.undecided)
	}
	return planned
}

// refuseKey reports the idempotency key among the declared fields.
func (p *planner) refuseKey(selected *selection, operation *model.Operation) {
	in, name := spec.InHeader, http.CanonicalHeaderKey(operation.Key.Name)
	if operation.Key.InBody() {
		in, name = spec.InBody, operation.Key.Name
	}
	key := selected.child(spec.Step{Name: string(in)}).child(spec.Step{Name: name})
	if key != nil && (key.field != nil || !key.leaf()) {
		p.list.Errorf(key.first(), "remove it", "%s is the idempotency key, which does not belong to the fingerprint", key.path)
	}
}

// exempt returns the fields that need not be declared or ignored.
func (p *planner) exempt(op *spec.Operation, operation *model.Operation) []spec.FieldPath {
	paths := credentials(p.doc.OpenAPI, op.OpenAPI)
	if !operation.Key.InBody() {
		paths = append(paths, spec.FieldPath{In: spec.InHeader, Steps: []spec.Step{{Name: operation.Key.Name}}})
	}
	for _, column := range p.columns[op.Annotation.Scope.V] {
		if column.From.OK {
			paths = append(paths, column.From.V)
		}
	}
	return paths
}

// reportUndecided reports the request fields that are neither declared nor
// ignored: errors where the operation is strict, else warnings.
func (p *planner) reportUndecided(op *spec.Operation, fields []undecided) {
	strict := pick(op.Annotation.Strict, p.defaults().Strict).Or(p.options.Strict)
	severity := diag.Warning
	if strict {
		severity = diag.Error
	}
	for _, field := range fields {
		p.list.Add(diag.Diagnostic{
			Pos:      field.pos,
			Severity: severity,
			Message:  fmt.Sprintf("%s of %s %s is undecided: it is neither in fields nor in ignore", field.path, op.Method, op.Path),
			Remedy: fmt.Sprintf("add it to fields if it changes what the request means, otherwise to ignore (x-idempotent at %s)",
				op.Annotation.Pos),
			Group: fmt.Sprintf("undecided %s %s", op.Method, op.Path),
			Item:  field.path,
		})
	}
}
