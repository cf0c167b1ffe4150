package idem

import (
	"context"
	"errors"
	"net/http"
)

// Check is what is asked of a request to one operation before generated code
// reads its parameters and its body. Routers whose middleware runs early enough
// ask it of every request; generated code says of which routes.
type Check struct {
	Key     KeyRule // of no interest where the key is in the body
	MaxBody int64   // bytes; 0 is no limit
}

// Pass reports whether r may go on. If not, it has been answered. A body within
// its limit has been read then, and can be read again.
func (c Check) Pass(w http.ResponseWriter, r *http.Request) bool {
	if !c.oneLine(w, r.Header) {
		return false
	}
	return c.readBody(w, r) && c.PassKey(w, r.Header)
}

// PassKey is the part of Pass that looks at the key's header: there is one line,
// which is not empty, or none if the key is optional.
func (c Check) PassKey(w http.ResponseWriter, header http.Header) bool {
	if !c.oneLine(w, header) {
		return false
	}
	name := c.Key.header()
	if name == "" {
		return true
	}
	switch values := header.Values(name); {
	case len(values) == 0 && c.Key.Required:
		writeProblem(context.Background(), w, keyMissing.with(name), "there is no key")
		return false
	case len(values) == 1 && values[0] == "":
		writeProblem(context.Background(), w, keyInvalid.with(name), "the key is empty")
		return false
	}
	return true
}

// PassSize is the part of Pass that judges the body, where it has been read
// already.
func (c Check) PassSize(w http.ResponseWriter, size int64) bool {
	if c.MaxBody > 0 && size > c.MaxBody {
		c.tooLarge(context.Background(), w)
		return false
	}
	return true
}

func (c Check) oneLine(w http.ResponseWriter, header http.Header) bool {
	name := c.Key.header()
	if name == "" || len(header.Values(name)) <= 1 {
		return true
	}
	writeProblem(context.Background(), w, keyInvalid.with(name), "the key came in several lines")
	return false
}

// readBody reads a body that has a limit, and answers a request whose body cannot be
// had whole.
func (c Check) readBody(w http.ResponseWriter, r *http.Request) bool {
	if c.MaxBody <= 0 {
		return true
	}
	switch err := readWithin(r, c.MaxBody); {
	case errors.Is(err, errSlowBody):
		writeProblem(r.Context(), w, requestTimeout, string(errSlowBody))
		return false
	case err != nil:
		c.tooLarge(r.Context(), w)
		return false
	}
	return true
}

func (c Check) tooLarge(ctx context.Context, w http.ResponseWriter) {
	writeProblem(ctx, w, requestTooLarge.with(c.MaxBody), string(errLargeBody))
}
