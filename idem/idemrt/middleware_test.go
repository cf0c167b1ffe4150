package idemrt

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
	checks := testChecks(t, "POST /orders")
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
			handler := checks.LimitBodies(Pattern)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	mux.Handle("POST /orders", testChecks(t, "POST /orders").LimitBodies(Pattern)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
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
	mux.Handle("/", testChecks(t, "/").LimitBodies(Pattern)(http.NotFoundHandler()))
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
	testChecks(t, "/").LimitBodies(Pattern)(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != 500 {
		t.Errorf("got %d, want 500", w.Code)
	}
}

// testChecks are the checks of one route, whose bodies have at most four bytes.
func testChecks(t *testing.T, route string) *Checks {
	t.Helper()
	op := operation(func(d *testDefinition) { d.MaxBody = 4 })
	return NewChecks(newTestEngine(io.Discard, ""), Routes{route: op})
}

func TestLimitBodiesOfOtherRouters(t *testing.T) {
	route := func(r *http.Request) string { return r.Header.Get("Route") }
	handler := testChecks(t, "a").LimitBodies(route)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for name, want := range map[string]int{"a": http.StatusRequestEntityTooLarge, "b": http.StatusOK, "": http.StatusInternalServerError} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("12345"))
		r.Header.Set("Route", name)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("route %q: %d, want %d", name, w.Code, want)
		}
	}
}

// An error handler answers for the key, of the operations that it knows, and for
// nothing else.
func TestKeyErrors(t *testing.T) {
	errKey, errOther := errors.New("Idempotency-Key"), errors.New("limit")
	for name, test := range map[string]struct {
		route string
		keys  []string
		err   error
		code  string // "" where next answers
	}{
		"another parameter":           {"r", []string{"k"}, errOther, ""},
		"two lines":                   {"r", []string{"k", "k"}, errOther, "idempotency_key_invalid"},
		"an empty line":               {"r", []string{""}, errOther, "idempotency_key_invalid"},
		"no line":                     {"r", nil, errOther, "idempotency_key_missing"},
		"cannot be read":              {"r", []string{"k"}, errKey, "idempotency_key_invalid"},
		"two lines, another route":    {"other", []string{"k", "k"}, errOther, ""},
		"not readable, another route": {"other", []string{"k"}, errKey, ""},
	} {
		t.Run(name, func(t *testing.T) {
			log := &strings.Builder{}
			engine := newTestEngine(log, "")
			checks := NewChecks(engine, Routes{"r": operation(nil)})
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			r.Header["Idempotency-Key"] = test.keys
			handle := checks.KeyErrors(
				func(*http.Request) string { return test.route },
				func(err error) string { return err.Error() },
				func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusTeapot) },
			)
			handle(w, r, test.err)
			if test.code == "" {
				if w.Code != http.StatusTeapot || log.Len() > 0 {
					t.Errorf("got %d %s, want next's answer; log: %s", w.Code, w.Body, log)
				}
				return
			}
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"code":"`+test.code+`"`) {
				t.Errorf("got %d %s, want %s", w.Code, w.Body, test.code)
			}
			wantRefusalLogged(t, engine, log.String(), test.code, test.keys)
		})
	}
}

// wantRefusalLogged checks that a refusal is logged with operation and key digest.
func wantRefusalLogged(t *testing.T, engine *Engine, log, code string, keys []string) {
	t.Helper()
	digest := ""
	if len(keys) > 0 && keys[0] != "" {
		digest = `"key_digest":"` + engine.keyDigest("createOrder", keys[0]) + `"`
	}
	for _, part := range []string{`"operation":"createOrder"`, `"code":"` + code + `"`, `"step":"request"`, digest} {
		if !strings.Contains(log, part) {
			t.Errorf("the log lacks %s: %s", part, log)
		}
	}
}
