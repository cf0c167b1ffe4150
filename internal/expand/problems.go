package expand

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

// problem is a response of the runtime itself.
type problem struct {
	code        string
	name        string // used in the names of components
	description string
	again       bool // has Retry-After: the same key may be sent again
}

// answerOf is a status with the problems that an operation reports with it.
type answerOf struct {
	status   int
	problems []problem
}

// answers are the problems of an operation by status; the annotation may change some
// of these.
func answers(operation *model.Operation) []answerOf {
	missing := problem{"idempotency_key_missing", "KeyMissing", "The idempotency key is missing.", false}
	invalid := problem{"idempotency_key_invalid", "KeyInvalid", "The idempotency key is malformed.", false}
	malformed := problem{"request_malformed", "RequestMalformed", "The request is malformed: part of it cannot be read in exactly one way.", false}
	reused := problem{"idempotency_key_reused", "KeyReused", "The idempotency key belongs to another request.", false}
	inFlight := problem{"idempotency_in_flight", "InFlight", "A request with this idempotency key is being processed. Send it again later, with the same key.", true}
	expired := problem{"idempotency_expired", "Expired", "The request was answered, and its answer is no longer kept. The key cannot be used again.", false}
	tooLarge := problem{"request_too_large", "RequestTooLarge", "The request's body is too large.", false}
	timedOut := problem{"request_timeout", "RequestTimeout", "The request's body did not arrive in time. Nothing was done.", false}
	internal := problem{"idempotency_internal_error", "InternalError", "The service could not process the request. It can be sent again, with the same key.", false}
	unavailable := problem{"idempotency_unavailable", "Unavailable", "Nothing was done. Send the request again, with the same key.", true}
	unknown := problem{"idempotency_outcome_unknown", "OutcomeUnknown", "Whether the request was carried out is not known. Send it again, with the same key, to find out.", true}

	byStatus := map[int][]problem{}
	add := func(status int, problems ...problem) { byStatus[status] = append(byStatus[status], problems...) }
	if operation.Key.Required {
		add(http.StatusBadRequest, missing)
	}
	add(http.StatusBadRequest, invalid, malformed)
	add(operation.Mismatch, reused)
	add(operation.InFlight, inFlight)
	add(operation.Expired, expired)
	add(http.StatusRequestTimeout, timedOut)
	add(http.StatusRequestEntityTooLarge, tooLarge)
	add(http.StatusInternalServerError, internal)
	add(http.StatusServiceUnavailable, unavailable, unknown)

	var all []answerOf
	for status, problems := range byStatus {
		all = append(all, answerOf{status, problems})
	}
	slices.SortFunc(all, func(a, b answerOf) int { return cmp.Compare(a.status, b.status) })
	return all
}

func (a answerOf) again() bool {
	return slices.ContainsFunc(a.problems, func(p problem) bool { return p.again })
}

// name returns the name of the response as a component.
func (a answerOf) name() string {
	var names []string
	for _, p := range a.problems {
		names = append(names, p.name)
	}
	return "Idempotency" + strings.Join(names, "Or")
}

func (a answerOf) description() string {
	var all []string
	for _, p := range a.problems {
		all = append(all, p.description)
	}
	return strings.Join(all, " Or: ")
}

// schema returns the schema of the body: a problem with one of the codes.
func (a answerOf) schema(base *tree.Node) *tree.Node {
	var codes []*tree.Node
	for _, p := range a.problems {
		codes = append(codes, text(p.code))
	}
	code := mapping(member("type", text("string")), member("enum", list(codes...)))
	return mapping(member("allOf", list(base,
		mapping(member("type", text("object")), member("properties", mapping(member("code", code)))))))
}

// problemSchema returns the schema of every problem.
func problemSchema() *tree.Node {
	property := func(name, kind, format, description string) *tree.Member {
		schema := mapping(member("type", text(kind)))
		if format != "" {
			set(schema, "format", text(format))
		}
		set(schema, "description", text(description))
		return member(name, schema)
	}
	var required []*tree.Node
	for _, name := range []string{"type", "title", "status", "detail", "instance", "code"} {
		required = append(required, text(name))
	}
	return mapping(
		member("type", text("object")),
		member("description", text("Problem details (RFC 9457) of an operation with an idempotency key.")),
		member("required", list(required...)),
		member("properties", mapping(
			property("type", "string", "uri", "Identifies the kind of problem."),
			property("title", "string", "", "Names the kind of problem."),
			property("status", "integer", "int32", "The status of the response."),
			property("detail", "string", "", "Says what to do."),
			property("instance", "string", "uri", "Identifies this occurrence, also in the service's log."),
			property("code", "string", "", "Names the kind of problem for programs."),
		)))
}
