package idem

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
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

// A body that has not arrived when the server's read timeout ends is the client's
// fault, not the service's, even though the server has ended the context.
func TestLimitBodiesOfASlowClient(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", LimitBodies(map[string]int64{"POST /orders": 100})(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the handler was called")
	})))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Now()); err != nil { // as [http.Server.ReadTimeout] does, later
			t.Error(err)
		}
		mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	body, rest := io.Pipe() // nothing is ever written to it
	defer func() { _ = rest.Close() }()
	response, err := server.Client().Post(server.URL+"/orders", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(answer), `"code":"request_timeout"`) {
		t.Errorf("got %d %s", response.StatusCode, answer)
	}
	if response.Header.Get("Connection") != "close" && !response.Close {
		t.Error("the connection is kept, with a body that nobody will read")
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
