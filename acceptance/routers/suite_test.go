package routers

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"
)

// replayed demands that a call is answered as the first one was, byte for byte.
func (s *service) replayed(first answer, c call) {
	s.t.Helper()
	want := first
	want.Replayed = true
	if diff := cmp.Diff(want, s.do(c)); diff != "" {
		s.t.Errorf("%+v: -first +retry\n%s", c, diff)
	}
}

func retry(s *service) {
	first := s.expect(http.StatusCreated, order("create", "key-1"))
	for header, want := range map[string]string{"Location": "/orders/1", "X-Stock": "5"} {
		if got := first.Header.Get(header); got != want {
			s.t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	if !strings.HasPrefix(first.Header.Get("Content-Type"), "application/json") || !strings.Contains(first.Body, `"note":`) {
		s.t.Errorf("this is no order: %+v", first)
	}
	s.replayed(first, order("create", "key-1"))
	s.replayed(first, call{body: ` {"sku": "teapot", "act": "create", "unheard": 1} `, keys: []string{"key-1"}})
	s.orders(1)
}

func mismatch(s *service) {
	s.expect(http.StatusCreated, order("create", "key-1"))
	s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", call{act: "create", sku: "kettle", keys: []string{"key-1"}})
	s.orders(1)
}

func scopes(s *service) {
	s.expect(http.StatusCreated, order("create", "key-1"))
	s.expect(http.StatusCreated, call{account: "bob", act: "create", keys: []string{"key-1"}})
	request, err := order("create", "key-1").request(s.t.Context(), s.process.URL("/v1/shops/other/orders"))
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := s.send(request)
	if err != nil || a.Status != http.StatusCreated || a.Replayed {
		s.t.Errorf("another shop: %+v, %v", a, err)
	}
	s.orders(3)
	if got := s.query("SELECT count(DISTINCT (account, shop)) FROM account_idempotency_keys WHERE (account, shop) IN (VALUES ('ann', 'main'), ('bob', 'main'), ('ann', 'other'))"); got != 3 {
		s.t.Errorf("%d of 3 scopes in the table", got)
	}
}

func keys(s *service) {
	const invalid, missing = "idempotency_key_invalid", "idempotency_key_missing"
	for name, keys := range map[string][]string{
		"empty":                {""},
		"twice":                {"key-1", "key-1"},
		"two":                  {"key-1", "key-2"},
		"with a space":         {"key 1"},
		"an open quote":        {`"key-1`},
		"with parameters":      {`"key-1";a=1`},
		"empty in quotes":      {`""`},
		"too long":             {strings.Repeat("k", 256)},
		"not ASCII":            {"schlüssel"},
		"three with empty one": {"", "key-1", ""},
	} {
		if got := s.do(call{act: "create", keys: keys}); got.Status != http.StatusBadRequest || got.problem() != invalid {
			s.t.Errorf("%s: got %+v", name, got)
		}
	}
	s.refused(http.StatusBadRequest, missing, call{act: "create"})
	s.orders(0)

	first := s.expect(http.StatusCreated, order("create", `"key-\"1"`))
	s.replayed(first, order("create", `key-"1`))
	s.expect(http.StatusCreated, order("create", strings.Repeat("k", 255)))
	s.orders(2)
}

func bodyLimit(s *service) {
	const limit = 4 << 10
	padded := func(size int) call {
		body := `{"act": "create", "sku": "teapot"`
		return call{body: body + strings.Repeat(" ", size-len(body)-1) + "}", keys: []string{"key-1"}}
	}
	s.refused(http.StatusRequestEntityTooLarge, "request_too_large", padded(limit+1))
	s.orders(0)
	s.expect(http.StatusCreated, padded(limit))

	large := padded(1 << 20)
	request, err := large.request(s.t.Context(), s.process.URL("/v1/shops/main/orders"))
	if err != nil {
		s.t.Fatal(err)
	}
	request.ContentLength = -1 // in chunks
	// A server may close the connection before all has been sent.
	if a, err := s.send(request); err == nil && a.problem() != "request_too_large" {
		s.t.Errorf("in chunks: %+v", a)
	}
	s.orders(1)
}

func inFlight(s *service) {
	release := s.hold()
	var first answer
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		first, failed = s.reserve(s.t.Context(), "teapot", "key-1")
	}()
	s.waiting(1)
	a, err := s.reserve(s.t.Context(), "teapot", "key-1")
	if err != nil || a.Status != http.StatusConflict || a.problem() != "idempotency_in_flight" || a.Header.Get("Retry-After") != "7" {
		s.t.Errorf("while the first is running: %+v, %v", a, err)
	}
	release()
	<-done
	if failed != nil || first.Status != http.StatusNoContent || first.Replayed {
		s.t.Fatalf("the first: %+v, %v", first, failed)
	}
	again, err := s.reserve(s.t.Context(), "teapot", "key-1")
	if err != nil || again.Status != http.StatusNoContent || !again.Replayed {
		s.t.Errorf("afterwards: %+v, %v", again, err)
	}
}

// twenty have one key, among others that have keys of their own.
func twenty(s *service) {
	const n = 20
	release := s.hold()
	answers, alone := make([]answer, n), make([]answer, n)
	errs := make([]error, 2*n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i], errs[i] = s.try(s.t.Context(), order("wait", "key-of-many")) })
		all.Go(func() { alone[i], errs[n+i] = s.try(s.t.Context(), order("create", "key-"+strconv.Itoa(i))) })
	}
	s.waiting(1)
	release()
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		s.t.Fatal(err)
	}
	replays := 0
	for _, a := range answers {
		if a.Replayed {
			replays++
		}
		a.Replayed = answers[0].Replayed
		if diff := cmp.Diff(answers[0], a); diff != "" || a.Status != http.StatusCreated {
			s.t.Errorf("answers differ, or are none:\n%+v\n%s", a, diff)
		}
	}
	if replays != n-1 {
		s.t.Errorf("%d replays, want %d", replays, n-1)
	}
	for i, a := range alone {
		if a.Status != http.StatusCreated || a.Replayed {
			s.t.Errorf("key-%d: %+v", i, a)
		}
	}
	s.orders(n + 1)
}

func finalFailure(s *service) {
	first := s.expect(http.StatusPaymentRequired, order("402", "key-1"))
	if got := first.Header.Get("Content-Type"); s.problems && got != "application/problem+json" || got == "" {
		s.t.Errorf("the content type is %q", got)
	}
	if !strings.Contains(first.Body, `"title":"402"`) {
		s.t.Errorf("the body is %q", first.Body)
	}
	s.replayed(first, order("402", "key-1"))
	s.orders(0)
}

func notFinal(s *service) {
	first := s.expect(http.StatusTooManyRequests, order("429-once", "key-1"))
	if !strings.Contains(first.Body, `"title":"429"`) {
		s.t.Errorf("the body is %q", first.Body)
	}
	s.orders(0)
	s.expect(http.StatusCreated, order("429-once", "key-1"))
	s.orders(1)
}

func failure(s *service) {
	if a := s.do(order("error-once", "key-1")); a.Status != http.StatusInternalServerError || a.problem() != "" {
		s.t.Errorf("an error is not what the framework makes of one: %+v", a)
	}
	s.orders(0)
	s.expect(http.StatusCreated, order("error-once", "key-1"))
	s.refused(http.StatusInternalServerError, "idempotency_internal_error", order("nothing", "key-2"))
	s.orders(1)
}

func panicking(s *service) {
	// Some frameworks answer, some close the connection.
	if a, err := s.try(s.t.Context(), order("panic-once", "key-1")); err == nil && a.Status != http.StatusInternalServerError {
		s.t.Errorf("after a panic: %+v", a)
	}
	s.orders(0)
	s.replayed(s.expect(http.StatusCreated, order("panic-once", "key-1")), order("panic-once", "key-1"))
	s.orders(1)
}

func expired(s *service) {
	s.expect(http.StatusCreated, order("create", "key-1"))
	if _, err := s.database.Exec(s.t.Context(), "UPDATE account_idempotency_keys SET replay_until = date_trunc('minute', now()) - interval '1 minute'"); err != nil {
		s.t.Fatal(err)
	}
	s.refused(http.StatusGone, "idempotency_expired", order("create", "key-1"))
	s.orders(1)
}

func noBody(s *service) {
	first := s.expect(http.StatusNoContent, order("204", "key-1"))
	if first.Body != "" || len(first.Header["Content-Type"]) != 0 {
		s.t.Errorf("not empty: %+v", first)
	}
	s.replayed(first, order("204", "key-1"))
	s.orders(1)
}

func otherContent(s *service) {
	text := s.expect(http.StatusOK, order("text", "key-1"))
	if text.Body != "order for teapot\n" || !strings.HasPrefix(text.Header.Get("Content-Type"), "text/plain") {
		s.t.Errorf("text: %+v", text)
	}
	s.replayed(text, order("text", "key-1"))

	bytes := s.expect(http.StatusOK, order("download", "key-2"))
	if bytes.Body != "\x00\x01\xff\n" || bytes.Header.Get("Content-Type") != "application/octet-stream" {
		s.t.Errorf("bytes: %+v", bytes)
	}
	s.replayed(bytes, order("download", "key-2"))
	s.orders(2)
}

func endless(s *service) {
	s.refused(http.StatusInternalServerError, "idempotency_internal_error", order("endless", "key-1"))
	s.orders(0)
}

func statuses(s *service) {
	for act, status := range map[string]int{"423": http.StatusLocked, "599": 599} {
		first := s.expect(status, order(act, "key-"+act))
		if !strings.Contains(first.Body, `"title":"`+act+`"`) {
			s.t.Errorf("the body is %q", first.Body)
		}
		s.replayed(first, order(act, "key-"+act))
	}
	s.orders(0)
	s.refused(http.StatusInternalServerError, "idempotency_internal_error", order("0", "key-0"))
}

func cancelled(s *service) {
	release := s.hold()
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.try(ctx, order("wait", "key-1"))
		done <- err
	}()
	s.waiting(1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		s.t.Fatalf("the request ended with %v", err)
	}
	if s.ends {
		s.waiting(0) // without being let go
		release()
		s.expect(http.StatusCreated, order("wait", "key-1"))
	} else {
		release()
		s.until("the order is there", func() bool { return s.query("SELECT count(*) FROM orders") == 1 })
	}
	if a := s.do(order("wait", "key-1")); a.Status != http.StatusCreated || !a.Replayed {
		s.t.Errorf("the retry: %+v", a)
	}
	s.orders(1)
}

// lingering has a goroutine look at its request's context while the framework is
// busy with other requests.
func lingering(s *service) {
	s.expect(http.StatusCreated, order("linger", "key-1"))
	for i := range 50 {
		s.expect(http.StatusCreated, call{account: "bob", act: "create", keys: []string{"key-" + strconv.Itoa(i)}})
	}
	s.expect(http.StatusCreated, call{account: "bob", act: "release", keys: []string{"key"}})
	s.until("there are findings", func() bool { return s.query("SELECT count(*) FROM findings") > 0 })
	if got := s.query("SELECT count(*) FROM findings WHERE account <> seen"); got != 0 {
		s.t.Error("the context of ann's request became that of bob's")
	}
}

func others(s *service) {
	s.expect(http.StatusCreated, order("create", "key-1"))
	for _, keys := range [][]string{nil, {"a", "b"}} { // whatever that header is to it
		request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.process.URL("/v1/shops/main/orders"), nil)
		if err != nil {
			s.t.Fatal(err)
		}
		request.Header.Set("X-Account", "ann")
		request.Header["Idempotency-Key"] = keys
		if a, err := s.send(request); err != nil || a.Status != http.StatusOK || !strings.Contains(a.Body, `"count":1`) {
			s.t.Errorf("keys %q: %+v, %v", keys, a, err)
		}
	}
}
