package idem

import (
	"bytes"
	"io"
	"net/http"
)

// LimitBodies returns a middleware that answers 413 to a request whose body is
// larger than its route's limit in bytes, before the next handler is called.
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

// readWithin replaces the body by what it holds and reports false if that is
// more than limit bytes. An error of the client's stays in the body, for whoever
// reads it.
func readWithin(r *http.Request, limit int64) bool {
	if r.Body == nil || r.Body == http.NoBody {
		return true
	}
	if r.ContentLength > limit {
		return false
	}
	var content bytes.Buffer
	n, err := io.Copy(&content, io.LimitReader(r.Body, limit+1))
	if n > limit {
		return false
	}
	if err == nil {
		err = io.EOF
	}
	r.Body = &readBody{Reader: io.MultiReader(&content, endReader{err}), Closer: r.Body}
	return true
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
