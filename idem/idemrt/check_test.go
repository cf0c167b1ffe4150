package idemrt

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestChecksPass(t *testing.T) {
	required := KeyRule{Name: "Idempotency-Key", Required: true}
	optional := KeyRule{Name: "Idempotency-Key"}
	inBody := KeyRule{Name: "Idempotency-Key", InBody: true, Required: true}
	for name, test := range map[string]struct {
		rule KeyRule
		keys []string
		body string
		code string // "" for a request that passes
	}{
		"all is well":             {required, []string{"k"}, "1234", ""},
		"what idem judges":        {required, []string{`"open`}, "", ""},
		"two lines":               {required, []string{"k", "k"}, "", "idempotency_key_invalid"},
		"two lines, optional":     {optional, []string{"k", "l"}, "", "idempotency_key_invalid"},
		"an empty line":           {required, []string{""}, "", "idempotency_key_invalid"},
		"an empty line, optional": {optional, []string{""}, "", "idempotency_key_invalid"},
		"no line":                 {required, nil, "", "idempotency_key_missing"},
		"no line, optional":       {optional, nil, "", ""},
		"too large":               {required, []string{"k"}, "12345", "request_too_large"},
		"too large, no line":      {required, nil, "12345", "request_too_large"},
		"too large, two lines":    {required, []string{"k", "k"}, "12345", "idempotency_key_invalid"},
		"a key in the body":       {inBody, []string{"k", "k"}, "", ""},
		"too large, key in body":  {inBody, nil, "12345", "request_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(test.body))
			r.Header["Idempotency-Key"] = test.keys
			w := httptest.NewRecorder()
			log := &strings.Builder{}
			engine := newTestEngine(log, "")
			checks := NewChecks(engine, Routes{"r": operation(func(d *testDefinition) { d.Key, d.MaxBody = test.rule, 4 })})
			if got, want := checks.Pass("r", w, r), test.code == ""; got != want {
				t.Errorf("passed: %t, want %t", got, want)
			}
			if test.code != "" {
				keys := test.keys
				if test.rule.InBody {
					keys = nil // not known yet
				}
				wantRefusalLogged(t, engine, log.String(), test.code, keys)
				if !strings.Contains(w.Body.String(), `"code":"`+test.code+`"`) {
					t.Errorf("got %s, want %s", w.Body, test.code)
				}
				return
			}
			body, err := io.ReadAll(r.Body)
			if err != nil || string(body) != test.body || w.Body.Len() > 0 {
				t.Errorf("the next handler reads %q, %v; answered %q", body, err, w.Body)
			}
		})
	}
}

// What is not annotated is not checked.
func TestChecksPassOtherRoutes(t *testing.T) {
	checks := NewChecks(newTestEngine(io.Discard, ""), Routes{"r": operation(nil)})
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("12345"))
	r.Header["Idempotency-Key"] = []string{"k", "k"}
	if !checks.Pass("other", w, r) || !checks.PassKey(t.Context(), "other", w, r.Header) || !checks.PassSize(t.Context(), "other", w, r.Header, 1<<40) {
		t.Error("refused")
	}
	if _, limited := checks.Limit("other"); limited {
		t.Error("limited")
	}
}

func TestChecksPassSize(t *testing.T) {
	checks := testChecks(t, "r")
	w := httptest.NewRecorder()
	if !checks.PassSize(t.Context(), "r", w, nil, 4) || w.Body.Len() > 0 {
		t.Error("a body within its limit is refused")
	}
	if checks.PassSize(t.Context(), "r", w, nil, 5) || w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over its limit: %d", w.Code)
	}
	if limit, ok := checks.Limit("r"); !ok || limit != 4 {
		t.Errorf("got %d, %t", limit, ok)
	}
}

// The digest is the one of an accepted request with the same key, however it is spelt.
func TestRefusalsNameTheDecodedKey(t *testing.T) {
	log := &strings.Builder{}
	engine := newTestEngine(log, "")
	checks := NewChecks(engine, Routes{"r": operation(nil)})
	header := http.Header{"Idempotency-Key": {`"k"`, `"k"`}}
	if checks.PassKey(t.Context(), "r", httptest.NewRecorder(), header) {
		t.Error("passed")
	}
	wantRefusalLogged(t, engine, log.String(), "idempotency_key_invalid", []string{"k"})
}
