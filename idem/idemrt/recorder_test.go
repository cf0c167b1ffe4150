package idemrt

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// record renders with f and returns what is stored.
func record(limit int64, headers []string, f http.HandlerFunc) (Recorded, error) {
	r := newRecorder(limit)
	f(r, nil)
	if err := r.finished(); err != nil {
		return Recorded{}, err
	}
	return r.recorded(recordedHeaders(headers))
}

func TestRecordedHeaders(t *testing.T) {
	got, err := record(1000, []string{"location", "ETag", "Set-Cookie", "Date", "Connection", "Link", "Missing"}, func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Location", "/orders/1\r\nSet-Cookie: a=b")
		h.Set("ETag", `"1"`)
		h.Add("Link", "</a>")
		h.Add("Link", "</b>")
		for _, name := range []string{"Set-Cookie", "Date", "Content-Length", "Connection", "X-Other"} {
			h.Set(name, "1")
		}
		w.WriteHeader(201)
		h.Set("Etag", "too late")
		_, _ = w.Write([]byte("body"))
	})
	want := Recorded{
		Status:  201,
		Headers: []byte("Content-Type: application/json\r\nEtag: \"1\"\r\nLink: </a>\r\nLink: </b>\r\nLocation: /orders/1  Set-Cookie: a=b\r\n"),
		Body:    []byte("body"),
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("error %v, record (-want +got):\n%s", err, diff)
	}
}

func TestRecordedStatuses(t *testing.T) {
	for name, test := range map[string]struct {
		render http.HandlerFunc
		status int16
		body   string
		err    error
	}{
		"implicit":         {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, 200, "x", nil},
		"nothing":          {func(http.ResponseWriter, *http.Request) {}, 200, "", nil},
		"no content":       {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204); _, _ = w.Write([]byte("x")) }, 204, "", nil},
		"not modified":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304); _, _ = w.Write([]byte("x")) }, 304, "", nil},
		"early hints":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(201) }, 201, "", nil},
		"twice":            {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202); w.WriteHeader(500) }, 202, "", nil},
		"unset":            {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(0) }, 0, "", errBadStatus},
		"switching":        {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(101) }, 0, "", errBadStatus},
		"beyond":           {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(600) }, 0, "", errBadStatus},
		"body too large":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 101)) }, 0, "", errResponseTooLarge},
		"header too large": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", strings.Repeat("x", 100)) }, 0, "", errResponseTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(100, nil, test.render)
			if got.Status != test.status || string(got.Body) != test.body || !errors.Is(err, test.err) {
				t.Errorf("got %d %q, %v; want %d %q, %v", got.Status, got.Body, err, test.status, test.body, test.err)
			}
			if err == nil && (got.Headers == nil || got.Body == nil) {
				t.Error("nil would be stored as NULL")
			}
		})
	}
}

func TestAnswerSend(t *testing.T) {
	answer, err := recordedAnswer(Recorded{Status: 201, Headers: []byte("Content-Type: text/plain\r\nLink: a\r\nLink: b\r\n"), Body: []byte("\xff\x00")})
	if err != nil {
		t.Fatal(err)
	}
	answer.replayed = true
	w := httptest.NewRecorder()
	if err := answer.Send(w); err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Content-Type": {"text/plain"}, "Link": {"a", "b"}, "Idempotent-Replayed": {"true"}}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Code != 201 || w.Body.String() != "\xff\x00" {
		t.Errorf("got %d %q, headers (-want +got):\n%s", w.Code, w.Body, diff)
	}
}

func TestHeaderBlock(t *testing.T) {
	for name, block := range map[string]string{"control": "A: \x00\r\n", "no colon": "A\r\n", "continued": " A: b\r\n"} {
		if h, err := parseHeaders([]byte(block)); !errors.Is(err, errBadHeader) {
			t.Errorf("%s: got %v, %v; want errBadHeader", name, h, err)
		}
	}
	if h, err := parseHeaders(nil); len(h) != 0 || err != nil {
		t.Errorf("empty: got %v, %v", h, err)
	}
}
