package idemtest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/idem/idemtest"
)

// A service's test hands its handler to Run, and says how a request is made and what
// to count. Here the service is in memory; that of a real one has a database.
func ExampleRun() {
	testCreateOrder := func(t *testing.T) {
		shop := &shop{answers: map[string]answer{}}
		idemtest.Run(t, idemtest.Service{
			Handler: shop,
			Request: func(_ testing.TB, variant int) *http.Request {
				return httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(strconv.Itoa(variant)))
			},
			Executions: func(testing.TB) int { return shop.orders() },
		})
	}
	fmt.Println(passes(testCreateOrder))
	// Output: true
}

// passes runs a test, as go test does, and reports whether it passes.
func passes(test func(*testing.T)) bool {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	os.Stdout, _ = os.Open(os.DevNull) // what go test -v prints is no output of the example
	all := func(string, string) (bool, error) { return true, nil }
	return testing.RunTests(all, []testing.InternalTest{{Name: "TestCreateOrder", F: test}})
}

// shop is an idempotent service.
type shop struct {
	mu      sync.Mutex
	made    int
	answers map[string]answer // by key
}

type answer struct{ request, body string }

func (s *shop) orders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// ServeHTTP implements [http.Handler].
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys, request := r.Header["Idempotency-Key"], text(r.Body)
	switch {
	case len(keys) == 0:
		problem(w, http.StatusBadRequest, "idempotency_key_missing")
		return
	case len(keys) > 1 || keys[0] == "" || strings.ContainsAny(keys[0], " \"\u00e9"):
		problem(w, http.StatusBadRequest, "idempotency_key_invalid")
		return
	}
	known, again := s.answers[keys[0]]
	switch {
	case again && known.request != request:
		problem(w, http.StatusUnprocessableEntity, "idempotency_key_reused")
		return
	case again:
		w.Header().Set("Idempotent-Replayed", "true")
	default:
		s.made++
		known = answer{request, fmt.Sprint("order ", s.made)}
		s.answers[keys[0]] = known
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, known.body)
}

func text(r io.Reader) string {
	content, _ := io.ReadAll(r)
	return string(content)
}

func problem(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"code":%q}`, code)
}
