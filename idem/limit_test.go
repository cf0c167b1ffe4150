package idem

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLimitBodies(t *testing.T) {
	limits := map[string]int64{"POST /orders": 4}
	for name, test := range map[string]struct {
		path    string
		body    io.Reader
		chunked bool
		status  int
		seen    string
	}{
		"none":              {"/orders", nil, false, 200, ""},
		"within":            {"/orders", strings.NewReader("1234"), false, 200, "1234"},
		"within, chunked":   {"/orders", strings.NewReader("1234"), true, 200, "1234"},
		"over":              {"/orders", strings.NewReader("12345"), false, 413, ""},
		"over, chunked":     {"/orders", strings.NewReader("12345"), true, 413, ""},
		"other route":       {"/free", strings.NewReader("12345"), false, 200, "12345"},
		"over, in small":    {"/orders", iotest.OneByteReader(strings.NewReader("12345")), true, 413, ""},
		"client goes away":  {"/orders", iotest.ErrReader(errClient), true, 499, ""},
		"goes away mid-way": {"/orders", io.MultiReader(strings.NewReader("12"), iotest.ErrReader(errClient)), true, 499, "12"},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []byte
			mux := http.NewServeMux()
			handler := LimitBodies(limits)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var err error
				if seen, err = io.ReadAll(r.Body); errors.Is(err, errClient) {
					w.WriteHeader(499)
				}
			}))
			mux.Handle("POST /orders", handler)
			mux.Handle("POST /free", handler)
			r := httptest.NewRequest(http.MethodPost, test.path, test.body)
			if test.chunked {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			if w.Code != test.status || string(seen) != test.seen {
				t.Errorf("got %d, handler saw %q; want %d, %q", w.Code, seen, test.status, test.seen)
			}
			if w.Code == 413 && !strings.Contains(w.Body.String(), `"code":"request_too_large"`) {
				t.Errorf("got body %s", w.Body)
			}
		})
	}
}

var errClient = errors.New("the client went away")

// A length that the client states is judged before a byte is read.
func TestLimitBodiesJudgesTheStatedLength(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", LimitBodies(map[string]int64{"/": 4})(http.NotFoundHandler()))
	r := httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(errClient))
	r.ContentLength = 5
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	if w.Code != 413 {
		t.Errorf("got %d, want 413", w.Code)
	}
}

// Outside of a mux no route is known: that is loud, not unlimited.
func TestLimitBodiesOutsideOfAMux(t *testing.T) {
	w := httptest.NewRecorder()
	LimitBodies(nil)(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != 500 {
		t.Errorf("got %d, want 500", w.Code)
	}
}
