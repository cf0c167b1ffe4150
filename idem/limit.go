package idem

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
)

// LimitBodies returns a middleware that answers 413 to a request whose body is
// larger than its route's limit in bytes, before the next handler is called, and 408
// to one whose body has not arrived before the read timeout of [http.Server].
// limits is keyed by [http.Request.Pattern], as an [http.ServeMux] sets it; a
// route that is not in it has no limit. The middleware must run inside the mux:
// where no pattern is set it answers 500 rather than let a body pass unjudged.
//
// A body within its limit is read before the next handler runs.
func LimitBodies(limits map[string]int64) func(http.Handler) http.Handler {
	return LimitRoutes(func(r *http.Request) string { return r.Pattern }, limits)
}

// LimitRoutes is [LimitBodies] for other routers. route says under which key of
// limits the request's route is, or "" where no router has chosen one.
func LimitRoutes(route func(*http.Request) string, limits map[string]int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := route(r)
			if name == "" {
				writeProblem(r.Context(), w, internalError, "the body limit runs outside of the router")
				return
			}
			if check := (Check{MaxBody: limits[name]}); check.Pass(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// errLargeBody is the cause of a request's being refused with 413.
const errLargeBody fault = "body over the limit of the operation"

// errSlowBody is the cause of a request's being refused with 408.
const errSlowBody fault = "the body was not there when the server's read timeout ended"

// readWithin replaces the body by what it holds. It returns a fault if that is more
// than limit bytes, or if it did not arrive before the server's read timeout: the
// server has ended the request's context then, so that no handler could do anything.
// Any other error of the client's stays in the body, for whoever reads it.
func readWithin(r *http.Request, limit int64) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if r.ContentLength > limit {
		return errLargeBody
	}
	var content bytes.Buffer
	n, err := io.Copy(&content, io.LimitReader(r.Body, limit+1))
	switch {
	case n > limit:
		return errLargeBody
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
