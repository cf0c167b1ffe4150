package idemrt

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
)

// ErrorHandler answers a request whose parameters generated code could not read.
type ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error)

// Pattern is the route of a request as an [http.ServeMux] has chosen it.
func Pattern(r *http.Request) string { return r.Pattern }

// LimitBodies returns a middleware that answers 413 to a request whose body is
// larger than its operation allows, before the next handler is called, and 408 to one
// whose body has not arrived before the read timeout of [http.Server]. route says
// which route was chosen. The middleware must run inside the router: where route
// returns "" it answers 500 rather than let a body pass that was not checked.
//
// A body within its limit is read before the next handler runs.
func (c *Checks) LimitBodies(route func(*http.Request) string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := route(r)
			op, ok := c.routes[name]
			switch {
			case name == "":
				c.refuseOutside(w, r)
			case !ok || incoming{c.engine, op, w, r.Header}.passBody(r):
				next.ServeHTTP(w, r)
			}
		})
	}
}

// refuseOutside answers a request that no router has sent to a route.
func (c *Checks) refuseOutside(w http.ResponseWriter, r *http.Request) {
	_ = c.engine.refuse(r.Context(), &rules{}, "", refuse(internalError, stepRequest, errOutside)).Send(w) // the client is gone
}

// KeyErrors returns an error handler that answers with a problem where a request of an
// operation has a key header that is there twice, is empty, or is missing and
// required, or where malformed returns the header's name for the error. It hands every
// other error to next. malformed may be nil.
func (c *Checks) KeyErrors(route func(*http.Request) string, malformed func(error) (header string), next ErrorHandler) ErrorHandler {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		op, ok := c.routes[route(r)]
		if !ok {
			next(w, r, err)
			return
		}
		in := incoming{c.engine, op, w, r.Header}
		if !in.passKey(r.Context()) {
			return
		}
		if malformed != nil && !op.key.InBody && strings.EqualFold(malformed(err), op.key.Name) {
			in.refuse(r.Context(), keyInvalid.with(op.key.Name), errKeyUnread)
			return
		}
		next(w, r, err)
	}
}

// readWithin replaces the body by what it holds. It returns a fault if that is more
// than limit bytes, or if it did not arrive before the server's read timeout: the
// server has ended the request's context then, so that no handler could do anything.
// Any other error of the client's stays in the body, for whoever reads it.
func readWithin(r *http.Request, limit int64) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if r.ContentLength > limit {
		return errBodyLimit
	}
	var content bytes.Buffer
	n, err := io.Copy(&content, io.LimitReader(r.Body, limit+1))
	switch {
	case n > limit:
		return errBodyLimit
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlowBody
	case err == nil:
		err = io.EOF
	}
	r.Body = &readBody{Reader: io.MultiReader(&content, endReader{err}), Closer: r.Body}
	return nil
}

// readBody is a body that was read already.
type readBody struct {
	io.Reader
	io.Closer
}

// endReader reports how the body ended when it was read.
type endReader struct{ err error }

// Read implements [io.Reader].
func (e endReader) Read([]byte) (int, error) { return 0, e.err }
