package payouts

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// batch is a request to pay two people.
const batch = `{
  "sender_batch_header": {
    "sender_batch_id": "autumn-bonus-7",
    "email_subject": "Your bonus"
  },
  "items": [
    {
      "recipient_type": "EMAIL",
      "amount": {"value": "25.00", "currency": "USD"},
      "note": "For the last quarter",
      "receiver": "ada@example.com",
      "purpose": "REBATES",
      "alternate_notification_method": {"phone": {"country_code": "91", "national_number": "5550123"}}
    },
    {"amount": {"value": "12.50", "currency": "USD"}, "receiver": "grace@example.com"}
  ]
}`

// sameBatch means the same: members are in another order, what the fingerprint
// leaves out is changed, gone or new.
const sameBatch = `{"items":[
  {"alternate_notification_method":{"phone":{"national_number":"5550123","extension_number":"7","country_code":"49"}},
   "purpose":"REBATES","receiver":"ada@example.com","amount":{"currency":"USD","value":"25.00"},"recipient_wallet":"VENMO"},
  {"receiver":"grace@example.com","amount":{"currency":"USD","value":"12.50"},"note":"Again","unheard_of":[1,2]}],
  "sender_batch_header":{"note":"second try","sender_batch_id":"autumn-bonus-7"}}  `

// cases are the tests of one service.
var cases = []struct {
	name string
	run  func(*service)
}{
	{"retry gets the first answer", retry},
	{"another meaning is refused", mismatch},
	{"a key is needed", keys},
	{"merchants have keys of their own", merchants},
	{"a refusal of the business leaves the key free", refusal},
	{"twenty at once", twenty},
	{"killed in the business function", killed},
}

func TestPayouts(t *testing.T) {
	program := build(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for name, validate := range map[string]bool{"plain": false, "validated": true} {
			t.Run(name, func(t *testing.T) {
				for _, c := range cases {
					t.Run(c.name, func(t *testing.T) {
						c.run(setup{program, server, validate}.start(t))
					})
				}
			})
		}
	})
}

// once are the rows of one batch that was created once.
var once = map[string]int{"payouts": 1, "payout_items": 2, "merchant_idempotency_keys": 1}

func retry(s *service) {
	first := s.create(ann, batch, "key-1")
	s.expectReplay(first, ann, batch, "key-1")
	s.expectReplay(first, ann, sameBatch, "key-1")
	s.expectReplay(first, ann, batch, `"key-1"`) // the same key, spelt as a structured field
	s.expectRows(once)
}

func mismatch(s *service) {
	changes := map[string][2]string{ // what → with what
		"sender_batch_id": {"bonus-7", "bonus-8"},
		"receiver":        {"ada@", "eve@"},
		"amount":          {"25.00", "25.000"},
		"currency":        {`"12.50", "currency": "USD"`, `"12.50", "currency": "EUR"`},
		"purpose":         {"REBATES", "PRIZES"},
		"no purpose":      {`"purpose": "REBATES",`, ""},
		"phone":           {"5550123", "5550124"},
		"no phone":        {`{"phone": {"country_code": "91", "national_number": "5550123"}}`, "{}"},
		"one item more":   {`"items": [`, `"items": [{"amount": {"value": "1", "currency": "USD"}, "receiver": "me"},`},
	}
	first := s.create(ann, batch, "key-1")
	for name, change := range changes {
		other := strings.Replace(batch, change[0], change[1], 1)
		if other == batch {
			s.t.Fatalf("%s: nothing was changed", name)
		}
		s.expectProblem(name, http.StatusUnprocessableEntity, "idempotency_key_reused", s.mustPayout(ann, other, "key-1"))
	}
	s.expectReplay(first, ann, batch, "key-1")
	s.expectRows(once)
}

func keys(s *service) {
	const missing, invalid = "idempotency_key_missing", "idempotency_key_invalid"
	for _, test := range []struct {
		keys []string
		code string
	}{
		{nil, missing},
		{[]string{""}, invalid},
		{[]string{`"half`}, invalid},
		{[]string{"key-1", "key-2"}, invalid},
		{[]string{"key-1", "key-1"}, invalid},
		{[]string{strings.Repeat("k", 1001)}, invalid},
	} {
		s.expectProblem(fmt.Sprintf("%q", test.keys), http.StatusBadRequest, test.code, s.mustPayout(ann, batch, test.keys...))
	}
	s.expectRows(map[string]int{"payouts": 0, "merchant_idempotency_keys": 0})
}

func merchants(s *service) {
	anns := s.create(ann, batch, "key-1")
	bobs := s.create(bob, batch, "key-1")
	if anns.Body == bobs.Body {
		s.t.Errorf("two merchants got the same payout: %s", anns.Body)
	}
	s.expectReplay(anns, ann, batch, "key-1")
	s.expectReplay(bobs, bob, batch, "key-1")
	s.expectRows(map[string]int{"payouts": 2, "merchant_idempotency_keys": 2})
}

func refusal(s *service) {
	s.create(ann, batch, "key-1")
	for range 2 {
		if a := s.mustPayout(ann, batch, "key-2"); a.Status != http.StatusBadRequest || a.Replayed {
			s.t.Errorf("got %+v, want a 400 that is not replayed", a)
		}
	}
	s.expectRows(once)
	s.create(ann, strings.Replace(batch, "bonus-7", "bonus-8", 1), "key-2")
}

func twenty(s *service) {
	const n = 20
	answers := make([]consumer.Answer, n)
	errs := make([]error, n)
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			answers[i], errs[i] = s.payout(ann, batch, "key-1")
		})
	}
	done.Wait()

	executed := 0
	for i, a := range answers {
		if errs[i] != nil {
			s.t.Fatal(errs[i])
		}
		if !a.Replayed {
			executed++
		}
		a.Replayed = answers[0].Replayed
		if diff := cmp.Diff(answers[0], a); diff != "" {
			s.t.Errorf("answers differ: %s", diff)
		}
	}
	if answers[0].Status != http.StatusCreated || executed != 1 {
		s.t.Errorf("status %d, and %d answers are not replays; want 201 and 1", answers[0].Status, executed)
	}
	s.expectRows(once)
}

// killed kills the service while its business function waits for a row that the
// test has locked, and again when it has nothing to do.
func killed(s *service) {
	ctx := s.t.Context()
	lock, err := s.database.Begin(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := lock.Exec(ctx, "SELECT FROM merchants WHERE merchant_id = 'ANN' FOR UPDATE"); err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = lock.Rollback(context.WithoutCancel(ctx)) }() // when the test has failed
	unanswered := make(chan error, 1)
	go func() {
		_, err := s.payout(ann, batch, "key-1")
		unanswered <- err
	}()
	s.awaitBlocked()
	s.Kill()
	if err := <-unanswered; err == nil {
		s.t.Error("the killed service has answered")
	}
	if err := lock.Rollback(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.expectRows(map[string]int{"payouts": 0, "merchant_idempotency_keys": 0})

	s.restart()
	first := s.create(ann, batch, "key-1")
	s.expectRows(once)

	s.Kill()
	s.restart()
	s.expectReplay(first, ann, batch, "key-1")
	s.expectRows(once)
}

// awaitBlocked returns once somebody waits for a lock in the database.
func (s *service) awaitBlocked() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	const blocked = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
	for found := false; !found; {
		if err := s.database.QueryRow(ctx, blocked).Scan(&found); err != nil {
			s.t.Fatalf("the business function does not wait: %v", err)
		}
	}
}

// create sends a request that must be executed.
func (s *service) create(token, body, key string) consumer.Answer {
	s.t.Helper()
	a := s.mustPayout(token, body, key)
	if a.Status != http.StatusCreated || a.Replayed {
		s.t.Fatalf("got %+v, want a 201 that is not replayed", a)
	}
	return a
}

// expectReplay sends a request that must get the answer of the first.
func (s *service) expectReplay(first consumer.Answer, token, body, key string) {
	s.t.Helper()
	first.Replayed = true
	if diff := cmp.Diff(first, s.mustPayout(token, body, key)); diff != "" {
		s.t.Errorf("not the first answer: -want +got\n%s", diff)
	}
}

// problem is what matters of an answer that is a problem.
type problem struct {
	ContentType string
	Status      int
	Replayed    bool
	Body        struct {
		Status int
		Code   string
	}
}

// expectProblem demands a problem of the contract, which says nothing about what
// was sent.
func (s *service) expectProblem(what string, status int, code string, a consumer.Answer) {
	s.t.Helper()
	got := problem{ContentType: a.Header.Get("Content-Type"), Status: a.Status, Replayed: a.Replayed}
	if err := json.Unmarshal([]byte(a.Body), &got.Body); err != nil {
		s.t.Errorf("%s: no problem: %+v", what, a)
		return
	}
	want := problem{ContentType: "application/problem+json", Status: status}
	want.Body.Status, want.Body.Code = status, code
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("%s: -want +got\n%s", what, diff)
	}
	if strings.Contains(a.Body, "key-1") || strings.Contains(a.Body, "example.com") {
		s.t.Errorf("%s: the problem repeats the request: %s", what, a.Body)
	}
}
