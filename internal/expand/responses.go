package expand

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/tree"
)

const (
	replayedHeader = "Idempotent-Replayed"
	retryHeader    = "Retry-After"
	problemType    = "application/problem+json"
)

// replays declares the header of a replay on every recorded response.
func (e *expander) replays(responses *tree.Node, final []string) {
	for _, m := range responses.Members {
		if isFinal(m.Name, names(responses), final) {
			m.Value = e.withHeader(m.Value, replayedHeader, "IdempotentReplayed", replayed)
		}
	}
}

func names(n *tree.Node) []string {
	var all []string
	for _, m := range n.Members {
		all = append(all, m.Name)
	}
	return all
}

// isFinal reports whether a response can have a final status. With the final statuses
// 2XX and 402, the responses 2XX, 402 and 4XX can. A default response can if a final
// status has no response of its own.
func isFinal(response string, responses, final []string) bool {
	for _, pattern := range final {
		if overlap(response, pattern) {
			return true
		}
		if response == "default" && !slices.ContainsFunc(responses, func(r string) bool { return overlap(r, pattern) }) {
			return true
		}
	}
	return false
}

// overlap reports whether two statuses or classes have a status in common.
func overlap(a, b string) bool {
	a, b = strings.ToUpper(a), strings.ToUpper(b)
	if len(a) != 3 || len(b) != 3 {
		return false
	}
	return a == b || a[0] == b[0] && (a[1:] == "XX" || b[1:] == "XX")
}

func replayed() *tree.Node {
	return mapping(
		member("description", text("`true` if this is the recorded answer to an earlier request with the same idempotency key.")),
		member("schema", mapping(member("type", text("boolean")))))
}

func retryAfter() *tree.Node {
	return mapping(
		member("description", text("After how many seconds to send the request again, with the same idempotency key.")),
		member("schema", mapping(member("type", text("integer")), member("minimum", number(1)))))
}

// withHeader returns the response with a header, which becomes a component. A response
// that has the header is not changed; a reference is copied first.
func (e *expander) withHeader(response *tree.Node, name, component string, header func() *tree.Node) *tree.Node {
	found, _ := e.resolve(response, e.doc.File())
	if found == nil || hasHeader(found, name) {
		return response
	}
	response = e.copied(response)
	set(ensure(response, "headers", "content", "links"), name, e.shared("headers", component, header()))
	return response
}

func hasHeader(response *tree.Node, name string) bool {
	headers := response.Get("headers")
	return headers != nil && slices.ContainsFunc(headers.Members, func(m *tree.Member) bool { return strings.EqualFold(m.Name, name) })
}

// answer adds a status with problems to an operation.
func (e *expander) answer(responses *tree.Node, a answerOf) {
	status := strconv.Itoa(a.status)
	if m := responses.Member(status); m != nil {
		m.Value = e.withProblems(m.Value, a)
		return
	}
	response := mapping(member("description", text(a.description())))
	if covering := covering(responses, status); covering != nil {
		e.inherit(response, covering)
	}
	insertAt(responses, position(responses, status), status, e.shared("responses", a.name(), e.withProblems(response, a)))
}

// covering returns the response that so far applied to a status without its own.
func covering(responses *tree.Node, status string) *tree.Node {
	for _, m := range responses.Members {
		if len(m.Name) == 3 && overlap(m.Name, status) {
			return m.Value
		}
	}
	return responses.Get("default")
}

// inherit gives a response the headers and bodies of the response that applied before.
func (e *expander) inherit(response, covering *tree.Node) {
	from := e.copied(covering).Clone()
	for _, name := range []string{"headers", "content"} {
		if under := from.Get(name); under != nil && under.Kind == tree.Mapping {
			set(response, name, under)
		}
	}
}

// position is the place of a status: after the smaller ones, and before classes and
// default.
func position(responses *tree.Node, status string) int {
	at := -1
	for i, m := range responses.Members {
		switch _, err := strconv.Atoi(m.Name); {
		case err == nil && m.Name < status:
			at = i + 1
		case at < 0 && !strings.HasPrefix(m.Name, "x-"):
			at = i
		}
	}
	if at < 0 {
		return len(responses.Members)
	}
	return at
}

// withProblems returns the response with the body and header of a problem where they
// are missing.
func (e *expander) withProblems(response *tree.Node, a answerOf) *tree.Node {
	if a.again() {
		response = e.withHeader(response, retryHeader, "IdempotencyRetryAfter", retryAfter)
	}
	found, _ := e.resolve(response, e.doc.File())
	if found == nil || hasProblem(found) {
		return response
	}
	response = e.copied(response)
	schema := a.schema(e.shared("schemas", "IdempotencyProblem", problemSchema()))
	set(ensure(response, "content", "links"), problemType, mapping(member("schema", schema)))
	return response
}

func hasProblem(response *tree.Node) bool {
	content := response.Get("content")
	return content != nil && slices.ContainsFunc(content.Members, func(m *tree.Member) bool {
		media, _, err := mime.ParseMediaType(m.Name)
		return err == nil && media == problemType
	})
}
