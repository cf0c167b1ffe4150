package idemrt

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

const (
	errBodyLimit fault = "the body is larger than the operation's limit"
	errSlowBody  fault = "the body was not there when the server's read timeout ended"
	errOutside   fault = "the middleware runs outside of the router"
)

// Routes are operations by method and path of their routes, as the router is given
// them: "POST /v1/orders/{id}".
type Routes map[string]Checked

// Checks refuse a request before generated code reads its parameters and its body:
// when the body is over the operation's limit or late, and when the key's header is there
// twice, is empty, or is missing and required. What they refuse is answered with a
// problem and logged by the engine, with operation and key digest. Requests of other
// routes pass. Checks are safe for concurrent use.
type Checks struct {
	engine *Engine
	routes map[string]*rules
}

// NewChecks returns the checks of routes.
func NewChecks(engine *Engine, routes Routes) *Checks {
	c := &Checks{engine: engine, routes: make(map[string]*rules, len(routes))}
	for route, operation := range routes {
		c.routes[route] = operation.checked()
	}
	return c
}

// Pass reports whether r may go on. If not, it has been answered. A body within
// its limit has been read then, and can be read again.
func (c *Checks) Pass(route string, w http.ResponseWriter, r *http.Request) bool {
	op, ok := c.routes[route]
	if !ok {
		return true
	}
	in := incoming{c.engine, op, w, r.Header}
	return in.passOneLine(r.Context()) && in.passBody(r) && in.passKey(r.Context())
}

// PassKey is the part of [Checks.Pass] that looks at the key's header: there is one
// line, which is not empty, or none if the key is optional.
func (c *Checks) PassKey(ctx context.Context, route string, w http.ResponseWriter, header http.Header) bool {
	op, ok := c.routes[route]
	return !ok || incoming{c.engine, op, w, header}.passKey(ctx)
}

// PassSize is the part of [Checks.Pass] that judges the size of the body in bytes,
// where it has been read already.
func (c *Checks) PassSize(ctx context.Context, route string, w http.ResponseWriter, header http.Header, size int64) bool {
	op, ok := c.routes[route]
	return !ok || incoming{c.engine, op, w, header}.passSize(ctx, size)
}

// Limit returns how many bytes the body of a request may have, and false for routes
// without a limit.
func (c *Checks) Limit(route string) (bytes int64, ok bool) {
	op, ok := c.routes[route]
	if !ok {
		return 0, false
	}
	return op.maxBody, true
}

// incoming is a request that is checked.
type incoming struct {
	engine *Engine
	op     *rules
	w      http.ResponseWriter
	header http.Header
}

func (in incoming) passOneLine(ctx context.Context) bool {
	if len(in.keyLines()) <= 1 {
		return true
	}
	return in.refuse(ctx, keyInvalid.with(in.op.key.Name), errKeyLines)
}

func (in incoming) passKey(ctx context.Context) bool {
	if in.op.key.InBody {
		return true
	}
	if !in.passOneLine(ctx) {
		return false
	}
	switch lines := in.keyLines(); {
	case len(lines) == 0 && in.op.key.Required:
		return in.refuse(ctx, keyMissing.with(in.op.key.Name), nil)
	case len(lines) == 1 && lines[0] == "":
		return in.refuse(ctx, keyInvalid.with(in.op.key.Name), errKeyEmpty)
	}
	return true
}

func (in incoming) passBody(r *http.Request) bool {
	switch err := readWithin(r, in.op.maxBody); {
	case errors.Is(err, errSlowBody):
		return in.refuse(r.Context(), requestTimeout, err)
	case err != nil:
		return in.refuse(r.Context(), requestTooLarge.with(in.op.maxBody), err)
	}
	return true
}

func (in incoming) passSize(ctx context.Context, size int64) bool {
	return size <= in.op.maxBody || in.refuse(ctx, requestTooLarge.with(in.op.maxBody), errBodyLimit)
}

// keyLines are the lines of the key's header.
func (in incoming) keyLines() []string {
	if in.op.key.InBody {
		return nil
	}
	return in.header.Values(in.op.key.Name)
}

// refuse answers the request, logs it and returns false.
func (in incoming) refuse(ctx context.Context, p problem, cause error) bool {
	_ = in.engine.refuse(ctx, in.op, in.loggedKey(), refuse(p, stepRequest, cause)).Send(in.w) // the client is gone
	return false
}

// loggedKey is the key whose digest is logged: the first line's, decoded where that
// is possible, so that the digest is the one of an accepted request with this key.
func (in incoming) loggedKey() string {
	lines := in.keyLines()
	if len(lines) == 0 {
		return ""
	}
	if key, err := in.op.key.decode(lines[0]); err == nil {
		return key
	}
	return strings.TrimSpace(lines[0])
}
