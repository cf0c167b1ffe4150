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

	"github.com/google/go-cmp/cmp"
)

// shop is a service in memory, which makes one mistake.
type shop struct {
	mistake string

	mu          sync.Mutex
	orders      int
	broken      bool
	keyOptional bool
	recorded    map[string]recorded
}

type recorded struct {
	meaning string
	answer  string
	status  int
	expired bool
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
	comparesIgnored  = "compares what is ignored"
	executesSame     = "executes what is written otherwise"
	forgetsErrors    = "records no final errors"
	keepsWrites      = "keeps what a final error has written"
	repeatsErrors    = "executes a final error again"
	executesExpired  = "executes expired keys"
	replaysExpired   = "replays expired keys"
	closesOtherKeys  = "takes other keys for expired"
	insistsOnKeys    = "refuses requests without a key"
	protectsWithout  = "executes once without a key"
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
	if known, ok := s.recorded[key]; ok && s.remembers(known, keys, string(body)) {
		s.answerAgain(w, known, string(body))
		return
	}
	if s.mistake == closesOtherKeys && s.anyExpired() {
		s.problem(w, 410, "idempotency_expired")
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
	answer := recorded{string(body), fmt.Sprint("order ", s.orders+1), 201, false}
	if string(body) == declined {
		answer.status = 402
	}
	if answer.status == 201 || s.mistake == keepsWrites {
		s.orders++
	}
	if answer.status == 201 || s.mistake != forgetsErrors {
		s.recorded[key] = answer
	}
	w.WriteHeader(answer.status)
	_, _ = io.WriteString(w, answer.answer)
}

// declined is the body of a request that is answered with 402 for good. Of any other
// body, what follows # is ignored.
const declined = "too expensive"

// means reports whether two bodies mean the same.
func (s *shop) means(a, b string) bool {
	if s.mistake != comparesIgnored {
		a, _, _ = strings.Cut(a, "#")
		b, _, _ = strings.Cut(b, "#")
	}
	return a == b
}

// remembers reports whether the shop looks at a record, as it should if the request
// has a key.
func (s *shop) remembers(known recorded, keys []string, body string) bool {
	switch s.mistake {
	case executesAgain:
		return false
	case executesExpired:
		return !known.expired
	case executesSame:
		return known.meaning == body || !s.means(known.meaning, body)
	case protectsWithout:
		return true
	}
	return len(keys) > 0
}

func (s *shop) answerAgain(w http.ResponseWriter, known recorded, body string) {
	switch {
	case known.expired && s.mistake != replaysExpired:
		s.problem(w, 410, "idempotency_expired")
	case known.answer == "":
		s.problem(w, 500, "broken")
	case !s.means(known.meaning, body) && s.mistake != ignoresMeaning:
		s.problem(w, 422, "idempotency_key_reused")
	default:
		s.replay(w, known)
	}
}

func (s *shop) anyExpired() bool {
	for _, known := range s.recorded {
		if known.expired {
			return true
		}
	}
	return false
}

func (s *shop) judge(keys []string) string {
	switch {
	case len(keys) == 0 && s.mistake != takesMissing && (!s.keyOptional || s.mistake == insistsOnKeys):
		return "idempotency_key_missing"
	case len(keys) > 1 && s.mistake != takesTwo:
		return "idempotency_key_invalid"
	case len(keys) == 1 && (keys[0] == "" || strings.ContainsAny(keys[0], " \"\u00e9")) && s.mistake != takesMalformed:
		return "idempotency_key_invalid"
	}
	return ""
}

func (s *shop) replay(w http.ResponseWriter, known recorded) {
	answer := known.answer
	if s.mistake != hidesReplays && s.mistake != everyFirst {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	if s.mistake == answersAnew {
		answer += "!"
	}
	if s.mistake == lets2Through || s.mistake == repeatsErrors && known.status == 402 {
		s.orders++
	}
	w.WriteHeader(known.status)
	_, _ = io.WriteString(w, answer)
}

func (s *shop) problem(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q}`, code)
}

func request(t testing.TB, body string) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/orders", strings.NewReader(body))
}

func (s *shop) service() Service {
	return Service{
		Handler:     s,
		KeyOptional: s.keyOptional,
		Request:     func(t testing.TB, variant int) *http.Request { return request(t, fmt.Sprint("variant ", variant)) },
		Same: func(t testing.TB) []*http.Request {
			return []*http.Request{request(t, "variant 0"), request(t, "variant 0#note")}
		},
		FinalError: func(t testing.TB) *http.Request { return request(t, declined) },
		Expire: func(testing.TB) {
			for key, known := range s.recorded {
				known.expired = true
				s.recorded[key] = known
			}
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

func newShop(mistake string) *shop {
	keyOptional := mistake == insistsOnKeys || mistake == protectsWithout
	return &shop{mistake: mistake, keyOptional: keyOptional, recorded: map[string]recorded{}}
}

func TestRunPassesWhatIsRight(t *testing.T) {
	Run(t, newShop("").service())
	optional := newShop("")
	optional.keyOptional = true
	Run(t, optional.service())
}

// What is not supplied is skipped, and the message says how to supply it.
func TestRunSaysWhatItNeeds(t *testing.T) {
	service := newShop("").service()
	service.Break, service.Same, service.FinalError, service.Expire = nil, nil, nil, nil
	needs := map[string]string{}
	for _, c := range newKit(service).checks() {
		if field, ok := strings.CutPrefix(c.needs, "set "); ok {
			needs[c.name], _, _ = strings.Cut(field, " ")
		}
	}
	want := map[string]string{
		"a retry that is written otherwise gets the first answer": "Same",
		"a failure frees the key":                                 "Break",
		"a final error is recorded":                               "FinalError",
		"an expired key never executes again":                     "Expire",
	}
	if diff := cmp.Diff(want, needs); diff != "" {
		t.Error(diff)
	}
	for _, c := range newKit(newShop("").service()).checks() {
		if c.needs != "" {
			t.Errorf("%s needs more than everything: %s", c.name, c.needs)
		}
	}
}

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
		comparesIgnored:  "a retry that is written otherwise gets the first answer",
		executesSame:     "a retry that is written otherwise gets the first answer",
		forgetsErrors:    "a final error is recorded",
		keepsWrites:      "a final error is recorded",
		repeatsErrors:    "a final error is recorded",
		executesExpired:  "an expired key never executes again",
		replaysExpired:   "an expired key never executes again",
		closesOtherKeys:  "an expired key never executes again",
		insistsOnKeys:    "without a key it executes again",
		protectsWithout:  "without a key it executes again",
	} {
		t.Run(mistake, func(t *testing.T) {
			found := false
			for _, c := range newKit(newShop(mistake).service()).checks() {
				found = found || c.name == finder && fails(t, c.run)
			}
			if !found {
				t.Errorf("%q does not find it", finder)
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
func (r *recordingTB) Log(...any)                        {}
func (r *recordingTB) Logf(string, ...any)               {}
func (r *recordingTB) Failed() bool                      { return len(r.errors) > 0 }
func (r *recordingTB) Error(args ...any)                 { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recordingTB) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }
func (r *recordingTB) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
