package protocol_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/fingerprint"
)

var execModes = map[string]pgx.QueryExecMode{
	"cache_statement": pgx.QueryExecModeCacheStatement,
	"cache_describe":  pgx.QueryExecModeCacheDescribe,
	"describe_exec":   pgx.QueryExecModeDescribeExec,
	"exec":            pgx.QueryExecModeExec,
	"simple_protocol": pgx.QueryExecModeSimpleProtocol,
}

// The whole life of a key, in each of pgx's query modes.
func TestEveryExecMode(t *testing.T) {
	t.Parallel()
	for name, mode := range execModes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, func(c *pgxpool.Config) { c.ConnConfig.DefaultQueryExecMode = mode })
			first := s.create("k")
			s.wantReply(first, 201, "")
			again := s.create("k")
			if !again.Replayed || again.Body != first.Body {
				t.Errorf("got %+v, want a replay of %+v", again, first)
			}
			s.wantReply(s.call(t.Context(), "k", "b", creates("other")), 422, "idempotency_key_reused")
			s.wantReply(s.call(t.Context(), "declined", "a", declines), 402, "")
			s.wantReply(s.call(t.Context(), "swallowed", "a", swallows), 500, "idempotency_internal_error")
			s.wantReply(s.call(t.Context(), "ended", "a", runs("ROLLBACK")), 500, "idempotency_internal_error")
			s.wantReply(s.call(t.Context(), "restarted", "a", runs("ROLLBACK", "BEGIN")), 500, "idempotency_internal_error")
			if err := s.call(t.Context(), "failed", "a", fails(errBusiness)).Err; !errors.Is(err, errBusiness) {
				t.Errorf("got error %v, want the business function's", err)
			}
			mustExec(t, s.pool, "UPDATE provider_idempotency_keys SET replay_until = now() - interval '1 minute' WHERE idempotency_key = 'k'")
			s.wantReply(s.create("k"), 410, "idempotency_expired")
			s.wantState(1, 2)
		})
	}
}

// The pool's own isolation level does not reach our transactions.
func TestEveryIsolationDefault(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := newService(t, func(c *pgxpool.Config) {
				c.ConnConfig.RuntimeParams["default_transaction_isolation"] = level
			})
			s.race(20)
			got := s.call(t.Context(), "level", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
				var isolation string
				err := tx.QueryRow(ctx, "SHOW transaction_isolation").Scan(&isolation)
				return responds(200, isolation), err
			})
			if got.Body != "read committed" {
				t.Errorf("the business function ran in %q", got.Body)
			}
		})
	}
}

// Insert race: one execution, the others replay, also where a second execution
// would hit a unique key of the business's own.
func TestRaceInOneInstance(t *testing.T) {
	t.Parallel()
	newService(t).race(20)
}

func (s *service) race(n int) {
	s.t.Helper()
	replies := make([]reply, n)
	var group sync.WaitGroup
	for i := range replies {
		group.Go(func() { replies[i] = s.create("race") })
	}
	group.Wait()
	firsts := 0
	for _, r := range replies {
		s.wantReply(r, 201, "")
		if !r.Replayed {
			firsts++
		}
		if r.Body != replies[0].Body {
			s.t.Errorf("two answers differ: %q, %q", r.Body, replies[0].Body)
		}
	}
	if firsts != 1 {
		s.t.Errorf("got %d first executions, want 1", firsts)
	}
	s.wantState(1, 1)
	s.wantIdle()
}

// Two instances have no gate in common: the database decides.
func TestRaceInTwoInstances(t *testing.T) {
	t.Parallel()
	a := newService(t)
	instances := []*service{a, a.instance()}
	replies := make([]reply, 20)
	var group sync.WaitGroup
	for i := range replies {
		group.Go(func() { replies[i] = instances[i%2].create("race") })
	}
	group.Wait()
	for _, r := range replies {
		a.wantReply(r, 201, "")
	}
	a.wantState(1, 1)
}

// Concurrent mismatch: exactly one payload commits, the other gets 422.
func TestRaceOfTwoPayloads(t *testing.T) {
	t.Parallel()
	a := newService(t)
	b := a.instance()
	replies := make([]reply, 2)
	var group sync.WaitGroup
	group.Go(func() { replies[0] = a.call(t.Context(), "k", "a", creates("a")) })
	group.Go(func() { replies[1] = b.call(t.Context(), "k", "b", creates("b")) })
	group.Wait()
	got := map[int]int{replies[0].Status: 1}
	got[replies[1].Status]++
	if diff := cmp.Diff(map[int]int{201: 1, 422: 1}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	a.wantState(1, 1)
}

// The replay equals the first answer, without its cookie.
func TestReplayIsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	s := newService(t)
	first, again := s.create("k"), s.create("k")
	s.wantReply(first, 201, "")
	if first.Header.Get("Set-Cookie") != "" {
		t.Error("the first answer has a cookie that the record has not")
	}
	if !again.Replayed {
		t.Fatal("the second call was not replayed")
	}
	again.Replayed = false
	again.Header.Del("Idempotent-Replayed")
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("replay (-first +replay):\n%s", diff)
	}
}

func TestReplayOfOddBodies(t *testing.T) {
	t.Parallel()
	s := newService(t)
	large := strings.Repeat("x", 1<<20-200)
	for name, body := range map[string]string{"empty": "", "not-UTF-8": "\xff\x00\xfe", "large": large, "spaced": "{ \"b\" : 1,\n \"a\":2 }"} {
		outcome := func(context.Context, pgx.Tx) (outcome, error) { return responds(200, body), nil }
		s.wantReply(s.call(t.Context(), name, "a", outcome), 200, "")
		if got := s.call(t.Context(), name, "a", outcome); !got.Replayed || got.Body != body {
			t.Errorf("%s: the replay has another body, of %d bytes", name, len(got.Body))
		}
	}
	none := func(context.Context, pgx.Tx) (outcome, error) { return responds(204, ""), nil }
	s.wantReply(s.call(t.Context(), "204", "a", none), 204, "")
	if got := s.call(t.Context(), "204", "a", none); !got.Replayed || got.Status != 204 || got.Body != "" {
		t.Errorf("got %+v, want a replay of 204", got)
	}
}

func TestScopesAndOperationsAreIndependent(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.wantReply(s.create("k"), 201, "")
	other := *s
	other.keys = keys{provider: "other-" + s.keys.(keys).provider, queries: s.keys.(keys).queries}
	other.wantFirst("k", "second")
	renamed := operation
	renamed.Name = "cancelOrder"
	s.with(&renamed).wantFirst("k", "third")
	s.wantState(3, 3)
}

// Mismatch is found on every path, before expiry.
func TestMismatch(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.wantReply(s.create("k"), 201, "")
	s.wantReply(s.call(t.Context(), "k", "b", creates("b")), 422, "idempotency_key_reused")
	mustExec(t, s.pool, "UPDATE provider_idempotency_keys SET replay_until = now() - interval '1 minute'")
	s.wantReply(s.call(t.Context(), "k", "b", creates("b")), 422, "idempotency_key_reused")
	s.wantReply(s.create("k"), 410, "idempotency_expired")
	s.wantState(1, 1)
}

func TestMismatchWaitsForTheWinner(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		winner error
		status int
		code   string
	}{
		"commits":    {nil, 422, "idempotency_key_reused"},
		"rolls back": {errBusiness, 201, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			h := newHeld()
			winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("a")) })
			<-h.started
			s.wantReply(s.with(impatient()).call(t.Context(), "k", "b", creates("b")), 409, "idempotency_in_flight")
			loser := background(func() reply { return s.call(t.Context(), "k", "b", creates("b")) })
			h.letGo <- test.winner
			<-winner
			s.wantReply(<-loser, test.status, test.code)
			s.wantState(1, 1)
		})
	}
}

// A record is compared under the version it was written with.
func TestFingerprintVersions(t *testing.T) {
	t.Parallel()
	s := newService(t)
	v1, v2, v3 := version(1), version(2), version(3)
	call := func(key string, known ...fingerprint.Fingerprint) reply {
		return s.sent(s.execute(t.Context(), &key, known, creates(key)))
	}
	s.wantReply(call("k", v1), 201, "")
	if got := call("k", v2, v1); !got.Replayed {
		t.Errorf("new code: got %+v, want a replay", got)
	}
	s.wantReply(call("k", v3, v2), 410, "idempotency_expired") // version 1 is retired
	s.wantReply(call("n", v2, v1), 201, "")
	newer := call("n", v1) // old code in a rolling deploy
	s.wantReply(newer, 503, "idempotency_unavailable")
	if newer.Header.Get("Retry-After") != "2" {
		t.Errorf("got Retry-After %q, want 2", newer.Header.Get("Retry-After"))
	}
	s.wantState(2, 2)
}

// version is the fingerprint of a request under a version.
func version(version int16) fingerprint.Fingerprint {
	h := fingerprint.NewHasher("createOrder", version)
	return h.Sum()
}

// A winner that rolls back hands over to one who waits.
func TestHandOverAfterRollback(t *testing.T) {
	t.Parallel()
	s := newService(t)
	h := newHeld()
	calls := make([]<-chan reply, 5)
	for i := range calls {
		calls[i] = background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	}
	for range 3 { // one after another
		<-h.started
		h.letGo <- errBusiness
	}
	<-h.started
	h.letGo <- nil
	failed, created, replayed := 0, 0, 0
	for _, c := range calls {
		switch r := <-c; {
		case errors.Is(r.Err, errBusiness):
			failed++
		case r.Replayed:
			replayed++
		case r.Status == 201:
			created++
		}
	}
	if failed != 3 || created != 1 || replayed != 1 {
		t.Errorf("got %d failed, %d created, %d replayed; want 3, 1, 1", failed, created, replayed)
	}
	s.wantState(1, 1)
}

// A duplicate that runs out of time is told so, and replays later.
func TestDeadline(t *testing.T) {
	t.Parallel()
	a := newService(t)
	other := a.instance()
	if err := other.pool.Ping(t.Context()); err != nil { // connects
		t.Fatal(err)
	}
	for name, b := range map[string]*service{"same-instance": a, "other-instance": other} {
		t.Run(name, func(t *testing.T) {
			h := newHeld()
			winner := background(func() reply { return a.call(t.Context(), name, "a", h.creates(name)) })
			<-h.started
			got := b.with(impatient()).create(name)
			a.wantReply(got, 409, "idempotency_in_flight")
			if got.Header.Get("Retry-After") != "2" {
				t.Errorf("got Retry-After %q, want 2", got.Header.Get("Retry-After"))
			}
			h.letGo <- nil
			a.wantReply(<-winner, 201, "")
			if got := b.create(name); !got.Replayed {
				t.Errorf("got %+v, want a replay", got)
			}
		})
	}
	a.wantState(2, 2)
}

func TestTooManyWaiters(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.guard = s.newGuard(s.pool, idem.WithMaxWaiters(0))
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	s.wantReply(s.create("k"), 409, "idempotency_in_flight")
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
}

// A final failure keeps the record and undoes what was written.
func TestFinalFailure(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for name, fn := range map[string]business{"declined": declines, "declined-after-an-error": declinesAfterError} {
		s.wantReply(s.call(t.Context(), name, "a", fn), 402, "")
		if got := s.call(t.Context(), name, "a", fn); got.Status != 402 || !got.Replayed {
			t.Errorf("%s: got %+v, want a replay of 402", name, got)
		}
	}
	s.wantState(0, 2)
	s.wantIdle()
}

// A business error is returned as it is; nothing stays and the key is free.
func TestBusinessErrorFreesTheKey(t *testing.T) {
	t.Parallel()
	s := newService(t)
	got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		return nil, errors.Join(insert(ctx, tx, "one"), insert(ctx, tx, "two"), errBusiness)
	})
	if !errors.Is(got.Err, errBusiness) {
		t.Fatalf("got %+v, want the business error", got)
	}
	s.wantState(0, 0)
	s.wantFirst("k", "one")
}

// A response that is not final is passed on with all its headers and not recorded.
func TestNotFinal(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, status := range []int{400, 409, 500, 503} {
		got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			return responds(status, "no"), insert(ctx, tx, "gone")
		})
		s.wantReply(got, status, "")
		if got.Body != "no" || got.Header.Get("Set-Cookie") == "" {
			t.Errorf("got %+v, want the response unchanged", got)
		}
	}
	s.wantState(0, 0)
	s.wantFirst("k", "order")
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	s := newService(t)
	key := "k"
	for i, want := range []any{responds(201, `{"note":"order"}`+"\n"), nil} {
		answer, err := s.execute(t.Context(), &key, fingerprints("a"), creates("order"))
		if err != nil || answer.Unwrap() != want {
			t.Errorf("call %d: got %v, %v; want %v", i, answer.Unwrap(), err, want)
		}
	}
}

// A call without a key, where none is required, is a plain transaction.
func TestNoKey(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.wantReply(s.sent(s.execute(t.Context(), nil, fingerprints("a"), creates("x"))), 400, "idempotency_key_missing")
	optional := operation
	optional.Key.Required = false
	s.op = &optional
	call := func(fn business) reply {
		return s.sent(s.execute(t.Context(), nil, fingerprints("a"), fn))
	}
	for _, note := range []string{"one", "two"} {
		got := call(creates(note))
		s.wantReply(got, 201, "")
		if got.Replayed || got.Header.Get("Set-Cookie") == "" {
			t.Errorf("got %+v, want a plain response", got)
		}
	}
	s.wantReply(call(declines), 402, "")
	s.wantReply(call(runs("COMMIT")), 500, "idempotency_internal_error")
	s.wantState(2, 0)
	s.wantIdle()
}

// The answers and the log name neither key nor fingerprint nor data.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	s := newService(t)
	const key = "the-secret-key"
	replies := []reply{
		s.call(t.Context(), key, "a", swallows),
		s.create(key),
		s.call(t.Context(), key, "b", creates("secret-note")),
		s.call(t.Context(), key+" ", "a", creates("x")),
		s.call(t.Context(), key+" bad", "a", creates("x")),
		s.call(t.Context(), "leaves", "a", leavesRowsOpen),
	}
	text := &strings.Builder{}
	text.WriteString(s.log.String())
	for _, r := range replies {
		if r.Code != "" {
			text.WriteString(r.Body)
		}
	}
	for _, secret := range []string{key, "secret-note", "duplicate", "orders_pkey", "order"} {
		if strings.Contains(strings.ReplaceAll(text.String(), "createOrder", ""), secret) {
			t.Errorf("%q is in:\n%s", secret, text)
		}
	}
	if !strings.Contains(text.String(), `"key_digest"`) || !strings.Contains(text.String(), `"instance":"urn:uuid:`) {
		t.Errorf("the log names neither digest nor instance:\n%s", text)
	}
}

// An uncaught panic and Goexit roll back on their way up.
func TestPanicAndGoexit(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for name, leave := range map[string]func(){
		"panic":  func() { panic(errBusiness) },
		"goexit": runtime.Goexit,
	} {
		recovered := make(chan any)
		go func() {
			defer close(recovered)
			defer func() {
				if p := recover(); p != nil {
					recovered <- p
				}
			}()
			s.call(t.Context(), name, "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
				_ = insert(ctx, tx, name)
				_, _ = tx.Query(ctx, "SELECT generate_series(1, 1000)") // left open
				leave()
				return nil, nil
			})
		}()
		if p := <-recovered; (name == "panic") != (p == errBusiness) { //nolint:errorlint // the very value
			t.Errorf("%s: recovered %v", name, p)
		}
		s.wantIdle()
		s.wantFirst(name, name)
	}
	s.wantState(2, 2)
}
