package idemtest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// kit is a service with the defaults filled in.
type kit struct{ Service }

func newKit(s Service) *kit {
	if s.KeyHeader == "" {
		s.KeyHeader = "Idempotency-Key"
	}
	if s.NewKey == nil {
		s.NewKey = newUUID
	}
	if s.Duplicates == 0 {
		s.Duplicates = 20
	}
	return &kit{s}
}

func newUUID() string {
	var u [16]byte
	rand.Read(u[:]) // never fails
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// answer is what a client gets.
type answer struct {
	status   int
	header   http.Header // without what may differ between a first answer and its replay
	body     string
	replayed bool
	again    bool   // it has Retry-After
	code     string // of a problem
}

// send sends a variant with these keys, one header line each.
func (k *kit) send(t testing.TB, variant int, keys ...string) answer {
	t.Helper()
	return k.sendRequest(t, k.Request(t, variant), keys...)
}

func (k *kit) sendRequest(t testing.TB, request *http.Request, keys ...string) answer {
	t.Helper()
	request.Header[http.CanonicalHeaderKey(k.KeyHeader)] = keys
	if len(keys) == 0 {
		request.Header.Del(k.KeyHeader)
	}
	recorder := httptest.NewRecorder()
	k.Handler.ServeHTTP(recorder, request)
	got := answer{status: recorder.Code, header: recorder.Header().Clone(), body: recorder.Body.String()}
	got.replayed = got.header.Get("Idempotent-Replayed") == "true"
	got.again = got.header.Get("Retry-After") != ""
	for _, name := range []string{"Idempotent-Replayed", "Date"} {
		got.header.Del(name)
	}
	if got.header.Get("Content-Type") == "application/problem+json" {
		var problem struct{ Code string }
		if json.Unmarshal([]byte(got.body), &problem) == nil {
			got.code = problem.Code
		}
	}
	return got
}

// same reports whether a and b are one answer, byte for byte.
func (a answer) same(b answer) bool {
	return a.status == b.status && a.body == b.body && maps.EqualFunc(a.header, b.header, slices.Equal)
}

func (a answer) String() string {
	return fmt.Sprintf("%d, replayed %v, %v\n%s", a.status, a.replayed, a.header, a.body)
}

// executes runs act and checks how often the operation was executed meanwhile.
func (k *kit) executes(t testing.TB, want int, act func()) {
	t.Helper()
	before := k.Executions(t)
	act()
	if got := k.Executions(t) - before; got != want {
		t.Errorf("executed %d times, want %d", got, want)
	}
}

// first sends a request of variant 0, which must be executed.
func (k *kit) first(t testing.TB, key string) (got answer) {
	t.Helper()
	k.executes(t, 1, func() { got = k.send(t, 0, key) })
	if got.status/100 != 2 || got.replayed {
		t.Fatalf("a first request got %v; want a success, not replayed", got)
	}
	return got
}

// refused sends a request that must be refused with code, and not executed.
func (k *kit) refused(t testing.TB, code string, variant int, keys ...string) {
	t.Helper()
	var got answer
	k.executes(t, 0, func() { got = k.send(t, variant, keys...) })
	if got.code != code {
		t.Errorf("keys %q got %v; want the problem %s", keys, got, code)
	}
}

func (k *kit) retry(t testing.TB) {
	key := k.NewKey()
	first := k.first(t, key)
	k.executes(t, 0, func() {
		for range 2 {
			wantReplay(t, "a retry", k.send(t, 0, key), first)
		}
	})
}

func (k *kit) sameMeaning(t testing.TB) {
	key := k.NewKey()
	first := k.first(t, key)
	requests := k.Same(t)
	if len(requests) == 0 {
		t.Error("Same makes no request")
	}
	k.executes(t, 0, func() {
		for i, request := range requests {
			wantReplay(t, fmt.Sprintf("request %d of Same", i), k.sendRequest(t, request, key), first)
		}
	})
}

// wantReplay demands the replay of the first answer.
func wantReplay(t testing.TB, what string, got, first answer) {
	t.Helper()
	if !got.replayed {
		t.Errorf("%s has no Idempotent-Replayed: true", what)
	}
	if !got.same(first) {
		t.Errorf("%s got %v; want the first answer, %v", what, got, first)
	}
}

func (k *kit) mismatch(t testing.TB) {
	key := k.NewKey()
	k.first(t, key)
	k.refused(t, "idempotency_key_reused", 1, key)
}

func (k *kit) anotherKey(t testing.TB) {
	k.first(t, k.NewKey())
	k.first(t, k.NewKey())
}

func (k *kit) missingKey(t testing.TB) { k.refused(t, "idempotency_key_missing", 0) }

func (k *kit) noKey(t testing.TB) {
	k.executes(t, 2, func() {
		for range 2 {
			if got := k.send(t, 0); got.status/100 != 2 || got.replayed {
				t.Errorf("a request without a key got %v; want a success, not replayed", got)
			}
		}
	})
}

func (k *kit) malformedKey(t testing.TB) {
	for _, key := range []string{"", "with space", `"no end`, "caf\u00e9"} {
		k.refused(t, "idempotency_key_invalid", 0, key)
	}
}

func (k *kit) twoKeys(t testing.TB) {
	key := k.NewKey()
	k.refused(t, "idempotency_key_invalid", 0, key, key)
	k.refused(t, "idempotency_key_invalid", 0, key, k.NewKey())
	if t.Failed() {
		t.Log("two keys do not get as far as the strict handler: is the generated IdempotencyErrorHandler, or IdempotencyMiddleware, in place?")
	}
}

func (k *kit) duplicates(t testing.TB) {
	key := k.NewKey()
	answers := make([]answer, k.Duplicates)
	k.executes(t, 1, func() {
		var group sync.WaitGroup
		for i := range answers {
			group.Go(func() { answers[i] = k.send(t, 0, key) })
		}
		group.Wait()
	})
	want := k.send(t, 0, key)
	firsts := 0
	for _, got := range answers {
		switch {
		case got.code == "idempotency_in_flight" && got.again:
			continue // asked to send it again
		case !got.same(want):
			t.Errorf("a duplicate got %v; want %v", got, want)
		case !got.replayed:
			firsts++
		}
	}
	if firsts != 1 {
		t.Errorf("%d answers are not replays, want 1", firsts)
	}
}

func (k *kit) failure(t testing.TB) {
	key := k.NewKey()
	fix := k.Break(t)
	k.executes(t, 0, func() {
		if got := k.send(t, 0, key); got.status/100 == 2 {
			t.Errorf("a broken business function got %v; want a failure", got)
		}
	})
	fix()
	k.first(t, key)
}

// finalError sends a request that ends in an error for good: it is recorded as a
// success is, and what the business function wrote is rolled back.
func (k *kit) finalError(t testing.TB) {
	key := k.NewKey()
	k.executes(t, 0, func() {
		first := k.sendRequest(t, k.FinalError(t), key)
		if first.status < 400 || first.replayed {
			t.Fatalf("the request of FinalError got %v; want an error, not replayed", first)
		}
		again := k.sendRequest(t, k.FinalError(t), key)
		wantReplay(t, "the retry of a final error", again, first)
		if !again.replayed {
			t.Logf("is %d in final: of the operation?", first.status)
		}
	})
}

func (k *kit) expired(t testing.TB) {
	key := k.NewKey()
	k.first(t, key)
	k.Expire(t)
	k.refused(t, "idempotency_expired", 0, key)
	k.refused(t, "idempotency_expired", 0, key)
	k.first(t, k.NewKey())
}
