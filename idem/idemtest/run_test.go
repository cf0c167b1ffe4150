package idemtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// shop is a service in memory, which makes one mistake.
type shop struct {
	mistake string

	mu       sync.Mutex
	orders   int
	broken   bool
	recorded map[string]recorded
}

type recorded struct {
	meaning string
	answer  string
}

const (
	executesAgain    = "executes again"
	answersAnew      = "answers anew"
	hidesReplays     = "hides replays"
	ignoresMeaning   = "ignores the meaning"
	ignoresKeys      = "replays whatever the key"
	takesMissing     = "takes a missing key"
	takesMalformed   = "takes a malformed key"
	takesTwo         = "takes two keys"
	recordsFailures  = "records failures"
	executesFailures = "executes what fails"
	lets2Through     = "lets two duplicates through"
	everyFirst       = "marks no duplicate as replayed"
)

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	keys := r.Header["Idempotency-Key"]
	if code := s.judge(keys); code != "" {
		s.problem(w, 400, code)
		return
	}
	key := strings.Join(keys, "")
	if s.mistake == ignoresKeys {
		key = "k"
	}
	if known, ok := s.recorded[key]; ok && s.mistake != executesAgain {
		switch {
		case known.answer == "":
			s.problem(w, 500, "broken")
		case known.meaning != string(body) && s.mistake != ignoresMeaning:
			s.problem(w, 422, "idempotency_key_reused")
		default:
			s.replay(w, known.answer)
		}
		return
	}
	if s.broken {
		if s.mistake == executesFailures {
			s.orders++
		}
		if s.mistake == recordsFailures {
			s.recorded[key] = recorded{}
		}
		s.problem(w, 500, "broken")
		return
	}
	s.orders++
	answer := fmt.Sprint("order ", s.orders)
	s.recorded[key] = recorded{string(body), answer}
	w.WriteHeader(201)
	_, _ = io.WriteString(w, answer)
}

func (s *shop) judge(keys []string) string {
	switch {
	case len(keys) == 0 && s.mistake != takesMissing:
		return "idempotency_key_missing"
	case len(keys) > 1 && s.mistake != takesTwo:
		return "idempotency_key_invalid"
	case len(keys) == 1 && (keys[0] == "" || strings.ContainsAny(keys[0], " \"\u00e9")) && s.mistake != takesMalformed:
		return "idempotency_key_invalid"
	}
	return ""
}

func (s *shop) replay(w http.ResponseWriter, answer string) {
	if s.mistake != hidesReplays && s.mistake != everyFirst {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	if s.mistake == answersAnew {
		answer += "!"
	}
	if s.mistake == lets2Through {
		s.orders++
	}
	w.WriteHeader(201)
	_, _ = io.WriteString(w, answer)
}

func (s *shop) problem(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q}`, code)
}

func (s *shop) service() Service {
	return Service{
		Handler: s,
		Request: func(t testing.TB, variant int) *http.Request {
			return httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/orders", strings.NewReader(fmt.Sprint("variant ", variant)))
		},
		Executions: func(testing.TB) int {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.orders
		},
		Break: func(testing.TB) func() {
			s.broken = true
			return func() { s.broken = false }
		},
	}
}

func newShop(mistake string) *shop { return &shop{mistake: mistake, recorded: map[string]recorded{}} }

func TestRunPassesWhatIsRight(t *testing.T) { Run(t, newShop("").service()) }

func TestRunFindsMistakes(t *testing.T) {
	for mistake, finder := range map[string]string{
		executesAgain:    "a retry gets the first answer",
		answersAnew:      "a retry gets the first answer",
		hidesReplays:     "a retry gets the first answer",
		ignoresMeaning:   "a changed request is refused",
		ignoresKeys:      "another key executes again",
		takesMissing:     "a missing key is refused",
		takesMalformed:   "a malformed key is refused",
		takesTwo:         "two keys are refused",
		recordsFailures:  "a failure frees the key",
		executesFailures: "a failure frees the key",
		lets2Through:     "duplicates at once execute once",
		everyFirst:       "duplicates at once execute once",
	} {
		t.Run(mistake, func(t *testing.T) {
			for _, c := range newKit(newShop(mistake).service()).checks() {
				if c.name == finder && !fails(t, c.run) {
					t.Errorf("%q does not find it", finder)
				}
			}
		})
	}
}

// fails reports whether a check fails, without failing the test.
func fails(t *testing.T, run func(testing.TB)) bool {
	t.Helper()
	seen := &recordingTB{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(seen)
	}()
	<-done
	return len(seen.errors) > 0
}

// recordingTB keeps failures to itself.
type recordingTB struct {
	testing.TB
	errors []string
}

func (r *recordingTB) Helper()                           {}
func (r *recordingTB) Error(args ...any)                 { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recordingTB) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }
func (r *recordingTB) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
