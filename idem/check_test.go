package idem

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCheckPass(t *testing.T) {
	required := Check{Key: KeyRule{Name: "Idempotency-Key", Required: true}, MaxBody: 4}
	optional := Check{Key: KeyRule{Name: "Idempotency-Key"}, MaxBody: 4}
	for name, test := range map[string]struct {
		check Check
		keys  []string
		body  string
		code  string // "" for a request that passes
	}{
		"all is well":              {required, []string{"k"}, "1234", ""},
		"what idem judges":         {required, []string{`"open`}, "", ""},
		"two lines":                {required, []string{"k", "k"}, "", "idempotency_key_invalid"},
		"two lines, optional":      {optional, []string{"k", "l"}, "", "idempotency_key_invalid"},
		"an empty line":            {required, []string{""}, "", "idempotency_key_invalid"},
		"an empty line, optional":  {optional, []string{""}, "", "idempotency_key_invalid"},
		"no line":                  {required, nil, "", "idempotency_key_missing"},
		"no line, optional":        {optional, nil, "", ""},
		"too large":                {required, []string{"k"}, "12345", "request_too_large"},
		"too large, no line":       {required, nil, "12345", "request_too_large"},
		"too large, two lines":     {required, []string{"k", "k"}, "12345", "idempotency_key_invalid"},
		"no check":                 {Check{}, []string{"k", "k"}, "12345", ""},
		"a key that is no header":  {Check{MaxBody: 4}, []string{"k", "k"}, "1234", ""},
		"a key in the body":        {Check{Key: KeyRule{Name: "Idempotency-Key", InBody: true, Required: true}}, []string{"k", "k"}, "", ""},
		"a body without any limit": {Check{Key: required.Key}, []string{"k"}, "12345", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(test.body))
			r.Header["Idempotency-Key"] = test.keys
			w := httptest.NewRecorder()
			if got, want := test.check.Pass(w, r), test.code == ""; got != want {
				t.Errorf("passed: %t, want %t", got, want)
			}
			if test.code != "" {
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

func TestCheckPassSize(t *testing.T) {
	check := Check{MaxBody: 4}
	w := httptest.NewRecorder()
	if !check.PassSize(w, 4) || !(Check{}).PassSize(w, 1<<40) || w.Body.Len() > 0 {
		t.Error("a body within its limit is refused")
	}
	if check.PassSize(w, 5) || w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over its limit: %d", w.Code)
	}
}

func TestLimitRoutes(t *testing.T) {
	route := func(r *http.Request) string { return r.Header.Get("Route") }
	handler := LimitRoutes(route, map[string]int64{"a": 4})(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
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
