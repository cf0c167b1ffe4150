package protocol_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
)

// A client that goes away changes nothing about what was done: one execution at
// most, and the retry answers.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := newService(t)

	before, cancel := context.WithCancel(t.Context())
	cancel()
	s.wantReply(s.call(before, "before", "a", creates("before")), 503, "idempotency_unavailable")
	s.wantState(0, 0)

	during, cancel := context.WithCancel(t.Context())
	got := s.call(during, "during", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		cancel()
		return nil, insert(ctx, tx, "during")
	})
	if !errors.Is(got.Err, context.Canceled) {
		t.Errorf("during: got %+v, want the business function's error", got)
	}
	s.wantState(0, 0)

	commit, cancel := context.WithCancel(t.Context())
	got = s.call(commit, "commit", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		defer cancel()
		return creates("commit")(ctx, tx)
	})
	s.wantReply(got, 201, "")
	s.wantState(1, 1)

	s.wantFirst("before", "before")
	s.wantFirst("during", "during")
	if again := s.call(t.Context(), "commit", "a", creates("commit")); !again.Replayed {
		t.Errorf("commit: got %+v, want a replay", again)
	}
	s.wantState(3, 3)
}

func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	s := newService(t)
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	gone, cancel := context.WithCancel(t.Context())
	waiter := background(func() reply { return s.call(gone, "k", "a", creates("order")) })
	cancel()
	s.wantReply(<-waiter, 409, "idempotency_in_flight")
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	s.wantState(1, 1)
}

func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	s := newService(t, func(c *pgxpool.Config) { c.MaxConns = 1 })
	conn, err := s.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := s.with(impatient()).create("k")
	conn.Release()
	s.wantReply(got, 503, "idempotency_unavailable")
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.wantFirst("k", "order")
}

func TestStoreDown(t *testing.T) {
	t.Parallel()
	s := newService(t, func(c *pgxpool.Config) {
		c.ConnConfig.DialFunc = func(context.Context, string, string) (net.Conn, error) { return nil, io.ErrUnexpectedEOF }
		c.ConnConfig.ConnectTimeout = time.Second
	})
	executed := false
	got := s.call(t.Context(), "k", "a", func(context.Context, pgx.Tx) (outcome, error) {
		executed = true
		return responds(201, ""), nil
	})
	s.wantReply(got, 503, "idempotency_unavailable")
	if executed {
		t.Error("executed without a store")
	}
}

// The backend dies under the business function.
func TestBackendTerminatedDuringBusiness(t *testing.T) {
	t.Parallel()
	s := newService(t)
	admin := s.admin()
	got := s.call(t.Context(), "seen", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		terminate(ctx, t, admin, tx)
		return nil, insert(ctx, tx, "gone")
	})
	if got.Err == nil {
		t.Errorf("got %+v, want an error", got)
	}
	got = s.call(t.Context(), "unseen", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		terminate(ctx, t, admin, tx)
		return responds(201, ""), nil
	})
	s.wantReply(got, 503, "idempotency_unavailable")
	got = s.call(t.Context(), "unseen-and-declined", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		terminate(ctx, t, admin, tx)
		return responds(402, ""), nil
	})
	s.wantReply(got, 503, "idempotency_unavailable")
	s.wantState(0, 0)
	s.wantFirst("seen", "seen")
	s.wantFirst("unseen", "unseen")
}

// terminate kills the backend of tx and returns once it is gone.
func terminate(ctx context.Context, t *testing.T, admin *pgxpool.Pool, tx pgx.Tx) {
	var pid int
	if err := tx.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Error(err)
	}
	var gone bool
	if err := admin.QueryRow(ctx, "SELECT pg_terminate_backend($1, 10000)", pid).Scan(&gone); err != nil || !gone {
		t.Errorf("backend %d: gone %v, %v", pid, gone, err)
	}
}

// 1,000 panics, cancellations and timeouts leave no goroutine, connection or lock
// behind. The goroutines are the whole process's, so that this test does not run
// beside others.
func TestNothingIsLeftBehind(t *testing.T) {
	s := newService(t)
	other := s.instance()
	for i := range 1000 {
		s.leaves(i, other)
	}
	s.wantState(0, 0)
	s.wantFirst("k", "order")
	s.wantIdle()
	noneInside()
	// What a cancelled call leaves to the server, that ends by itself.
	s.settles("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")
	s.settles("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()")
}

// leaves is one call that ends in one of the ways in which a call can.
func (s *service) leaves(i int, other *service) {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	defer func() { _ = recover() }()
	inside := func(leave func(context.Context) error) business {
		return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			if err := insert(ctx, tx, "gone"); err != nil {
				return nil, err
			}
			return nil, leave(ctx)
		}
	}
	switch i % 20 { // all but panics cost a connection each
	case 0: // the client goes away meanwhile
		s.call(ctx, "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			cancel()
			return creates("gone")(ctx, tx)
		})
	case 1: // and before
		cancel()
		s.call(ctx, "k", "a", creates("gone"))
	case 2: // the business function's time is over
		s.call(ctx, "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			brief, stop := context.WithTimeout(ctx, time.Millisecond)
			defer stop()
			_, err := tx.Exec(brief, "SELECT pg_sleep(60)")
			return nil, err
		})
	case 3: // the wait is, of duplicates of a call that fails
		s.call(ctx, "k", "a", inside(func(ctx context.Context) error {
			hasty := operation
			hasty.Wait = time.Millisecond
			s.with(&hasty).call(ctx, "k", "a", creates("gone"))
			other.with(&hasty).call(ctx, "k", "a", creates("gone"))
			return errBusiness
		}))
	default:
		s.call(ctx, "k", "a", inside(func(context.Context) error { panic("business") }))
	}
}

// noneInside waits until no goroutine is inside the runtime.
func noneInside() {
	for {
		stacks := make([]byte, 1<<20)
		if !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("idemrt.(*")) {
			return
		}
		runtime.Gosched()
	}
}

// settles waits until a count is 0.
func (s *service) settles(count string) {
	s.t.Helper()
	for s.count(count) != 0 {
		runtime.Gosched()
	}
}

// A claim that loses to a serialization failure starts over, three times at most.
func TestClaimStartsOver(t *testing.T) {
	t.Parallel()
	s := newService(t)
	flaky := &flakyKeys{Keys: s.keys, failures: 3}
	s.keys = flaky
	s.wantReply(s.create("k"), 201, "")
	flaky.failures = 4
	s.wantReply(s.create("l"), 503, "idempotency_unavailable")
	if flaky.claims != 8 {
		t.Errorf("got %d claims, want 8", flaky.claims)
	}
	s.wantState(1, 1)
	s.wantIdle()
}

// Keys that do not run their one statement are found out before anything is done.
func TestKeysMisuse(t *testing.T) {
	t.Parallel()
	s := newService(t)
	good := s.keys
	for name, claim := range map[string]func(context.Context, idemrt.DBTX) error{
		"none": func(context.Context, idemrt.DBTX) error { return nil },
		"two": func(ctx context.Context, db idemrt.DBTX) error {
			_, first := db.Exec(ctx, "SELECT 1")
			_, second := db.Exec(ctx, "SELECT 1")
			return errors.Join(first, second)
		},
		"batch": func(ctx context.Context, db idemrt.DBTX) error { return db.SendBatch(ctx, &pgx.Batch{}).Close() },
		"copy": func(ctx context.Context, db idemrt.DBTX) error {
			_, err := db.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"note"}, pgx.CopyFromRows(nil))
			return err
		},
		"no such function": func(ctx context.Context, db idemrt.DBTX) error {
			_, err := db.Query(ctx, "SELECT no_such_function()")
			return err
		},
	} {
		s.keys = &oddKeys{Keys: good, claim: claim}
		if got := s.create("k"); got.Code != "idempotency_internal_error" {
			t.Errorf("%s: got %+v, want a 500 problem", name, got)
		}
	}
	s.keys = &oddKeys{Keys: good, claim: func(ctx context.Context, db idemrt.DBTX) error {
		rows, err := db.Query(ctx, "SELECT 1 WHERE false")
		rows.Close()
		return errors.Join(err, rows.Err(), pgx.ErrNoRows)
	}}
	s.wantReply(s.with(impatient()).create("k"), 409, "idempotency_in_flight")
	s.keys = good
	s.wantState(0, 0)
	s.wantFirst("k", "order")
	s.wantIdle()
}

type oddKeys struct {
	idemrt.Keys
	claim func(context.Context, idemrt.DBTX) error
}

func (o *oddKeys) Claim(ctx context.Context, db idemrt.DBTX, _ idemrt.Claim) error {
	return o.claim(ctx, db)
}

// A claim that is gone when it comes to recording must not commit.
func TestClaimGone(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.wantReply(s.call(t.Context(), "k", "a", runs("DELETE FROM provider_idempotency_keys", "INSERT INTO orders VALUES ('x')")), 500, "idempotency_internal_error")
	s.wantState(0, 0)
	s.wantFirst("k", "order")
}

func TestResponseLimit(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.guard = s.newGuard(s.pool, idem.WithMaxResponse(50))
	s.wantReply(s.create("k"), 500, "idempotency_internal_error")
	s.wantState(0, 0)
	s.guard = s.newGuard(s.pool)
	s.wantFirst("k", "order")
}

type flakyKeys struct {
	idemrt.Keys
	failures, claims int
}

func (f *flakyKeys) Claim(ctx context.Context, db idemrt.DBTX, c idemrt.Claim) error {
	f.claims++
	if f.failures > 0 {
		f.failures--
		_, err := db.Exec(ctx, "DO $$ BEGIN RAISE SQLSTATE '40001'; END $$")
		return err
	}
	return f.Keys.Claim(ctx, db, c)
}
