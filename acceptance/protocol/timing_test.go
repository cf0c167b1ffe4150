package protocol_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/acceptance/internal/wire"
)

// Every case where it matters which of two connections is first. Each is on two
// real connections, of two instances or of one and a sweeper, and goes on only
// when the other has come to where the case needs it.
func TestTiming(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, here func(*testing.T) site) {
		t.Parallel()
		for name, play := range map[string]func(t *testing.T, s *service){
			"winner commits":                       winnerCommits,
			"winner rolls back":                    winnerRollsBack,
			"mismatch":                             mismatchInFlight,
			"lost response":                        lostResponse,
			"waiter's deadline passes":             waiterGivesUp,
			"insert waits, deadline passes":        insertWaitsTooLong,
			"insert waits, winner commits":         insertWaitsForCommit,
			"insert waits, winner rolls back":      insertWaitsForRollback,
			"sweep between claim and read":         sweepBeforeRead,
			"read while a sweep is open":           readDuringSweep,
			"retry while a sweep is open":          retryDuringSweep,
			"retry while a sweep rolls back":       retryDuringFailedSweep,
			"purge between claim and read":         purgeBeforeRead,
			"retry while a purge is open":          retryDuringPurge,
			"retry while a purge rolls back":       retryDuringFailedPurge,
			"purge while a call executes":          purgeDuringExecution,
			"tombstone keeps the key closed":       tombstoneStaysClosed,
			"new key meets an old business number": newKeyOldNumber,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				play(t, newServiceAt(t, here(t)))
			})
		}
		t.Run("insert waits, lock_timeout", func(t *testing.T) {
			t.Parallel()
			insertWaitsForLockTimeout(t, here(t))
		})
	})
}

// inFlight has a held winner in s and a duplicate in another instance that has
// asked twice.
func (s *service) inFlight(t *testing.T, meaning string) (winner, duplicate <-chan reply, letGo chan<- error) {
	asked, h := &counter{}, newHeld()
	other := s.instance(asked.trace)
	winner = background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	duplicate = background(func() reply { return other.call(t.Context(), "k", meaning, creates("order")) })
	asked.waitFor(4) // two tries, each a claim and a load
	return winner, duplicate, h.letGo
}

func winnerCommits(t *testing.T, s *service) {
	winner, duplicate, letGo := s.inFlight(t, "a")
	letGo <- nil
	s.wantReply(<-winner, 201, "")
	got := <-duplicate
	s.wantReply(got, 201, "")
	if !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

func winnerRollsBack(t *testing.T, s *service) {
	winner, duplicate, letGo := s.inFlight(t, "a")
	letGo <- errBusiness
	if got := <-winner; !errors.Is(got.Err, errBusiness) {
		t.Errorf("winner: got %+v", got)
	}
	got := <-duplicate
	s.wantReply(got, 201, "")
	if got.Replayed {
		t.Errorf("got %+v, want a first execution", got)
	}
	s.wantState(1, 1)
}

func mismatchInFlight(t *testing.T, s *service) {
	winner, duplicate, letGo := s.inFlight(t, "b")
	letGo <- nil
	s.wantReply(<-winner, 201, "")
	s.wantReply(<-duplicate, 422, "idempotency_key_reused")
	s.wantState(1, 1)
}

func lostResponse(t *testing.T, s *service) {
	faulty := s.broken(wire.Commits(wire.LoseAnswer))
	s.wantReply(faulty.create("k"), 201, "")
	if got := s.create("k"); !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

func waiterGivesUp(t *testing.T, s *service) {
	other, h := s.instance(), newHeld()
	if err := other.pool.Ping(t.Context()); err != nil { // connects
		t.Fatal(err)
	}
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	s.wantReply(other.with(impatient()).create("k"), 409, "idempotency_in_flight")
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	if got := other.create("k"); !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

// foreign is a transaction that does not know our protocol.
type foreign struct {
	t  *testing.T
	tx pgx.Tx
}

func (s *service) foreign() *foreign {
	s.t.Helper()
	tx, err := s.admin().Begin(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // if it is still open
	return &foreign{s.t, tx}
}

func (f *foreign) exec(sql string, args ...any) {
	f.t.Helper()
	if _, err := f.tx.Exec(context.Background(), sql, args...); err != nil {
		f.t.Fatal(err)
	}
}

// run runs one of the emitted queries.
func (f *foreign) run(q query, values map[string]any) {
	f.t.Helper()
	f.exec(q.sql, q.args(values)...)
}

func (f *foreign) end(end func(context.Context) error) {
	f.t.Helper()
	if err := end(context.Background()); err != nil {
		f.t.Fatal(err)
	}
}

// claims inserts key k without the try-lock, as a hash of another seed would.
func (f *foreign) claims(s *service) {
	f.t.Helper()
	sum := fingerprints("a")[0].Sum
	f.exec(`INSERT INTO provider_idempotency_keys
		(provider, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)
		VALUES ($1, 'createOrder', 'k', $2, 1, now(), now() + interval '1 hour')`, s.keys.(keys).provider, sum[:])
}

func insertWaitsTooLong(t *testing.T, s *service) {
	if err := s.pool.Ping(t.Context()); err != nil { // connects
		t.Fatal(err)
	}
	f := s.foreign()
	f.claims(s)
	s.wantReply(s.with(impatient()).create("k"), 409, "idempotency_in_flight")
	f.end(f.tx.Rollback)
	s.wantFirst("k", "order")
	s.wantState(1, 1)
	s.wantIdle()
}

func insertWaitsForLockTimeout(t *testing.T, here site) {
	mustExec(t, openPool(t, here.direct), `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET lock_timeout = ''50ms''', current_database()); END $$`)
	s := newServiceAt(t, here)
	f := s.foreign()
	f.claims(s)
	s.wantReply(s.create("k"), 409, "idempotency_in_flight")
	s.wantLogged(`"step":"claim","sqlstate":"55P03"`)
	f.end(f.tx.Rollback)
	s.wantFirst("k", "order")
	s.wantState(1, 1)
}

func insertWaitsForCommit(_ *testing.T, s *service) {
	f, admin := s.foreign(), s.admin()
	f.claims(s)
	call := background(func() reply { return s.create("k") })
	s.blocked(admin)
	f.end(f.tx.Commit) // without a response: a tombstone
	s.wantReply(<-call, 410, "idempotency_expired")
	s.wantState(0, 1)
}

func insertWaitsForRollback(t *testing.T, s *service) {
	f, admin := s.foreign(), s.admin()
	f.claims(s)
	call := background(func() reply { return s.create("k") })
	s.blocked(admin)
	f.end(f.tx.Rollback)
	got := <-call
	s.wantReply(got, 201, "")
	if got.Replayed {
		t.Errorf("got %+v, want a first execution", got)
	}
	s.wantState(1, 1)
}

const longAgo = "UPDATE provider_idempotency_keys SET replay_until = now() - interval '2 hours'"

func (f *foreign) sweeps(s *service) {
	f.t.Helper()
	f.exec(longAgo)
	f.run(s.keys.(keys).queries.sweep, map[string]any{"swept_until": int64(0), "batch_size": int64(10)})
}

func (f *foreign) purges(s *service) {
	f.t.Helper()
	f.run(s.keys.(keys).queries.purge, map[string]any{"retention_seconds": int64(3600), "batch_size": int64(10)})
}

// stopsBeforeRead starts a duplicate that has lost the claim and not yet read.
func (s *service) stopsBeforeRead(t *testing.T) (duplicate <-chan reply, goOn chan<- struct{}) {
	paused := newPausedKeys(s.keys, never, 0)
	other := s.instance()
	other.keys = paused
	duplicate = background(func() reply { return other.call(t.Context(), "k", "a", creates("again")) })
	<-paused.reached
	return duplicate, paused.goOn
}

func sweepBeforeRead(t *testing.T, s *service) {
	s.wantReply(s.create("k"), 201, "")
	duplicate, goOn := s.stopsBeforeRead(t)
	f := s.foreign()
	f.sweeps(s)
	f.end(f.tx.Commit)
	close(goOn)
	s.wantReply(<-duplicate, 410, "idempotency_expired")
	s.wantState(1, 1)
}

// While a sweep holds the row, the insert waits: nobody knows yet whether the row
// will be what it was. A sweep is one statement, of rows that have expired.
func retryDuringSweep(t *testing.T, s *service) {
	s.wantReply(s.create("k"), 201, "")
	admin, f := s.admin(), s.foreign()
	f.sweeps(s)
	retry := background(func() reply { return s.create("k") })
	s.blocked(admin)
	f.end(f.tx.Commit)
	s.wantReply(<-retry, 410, "idempotency_expired")
	s.wantReply(s.call(t.Context(), "k", "b", creates("b")), 422, "idempotency_key_reused")
	s.wantState(1, 1)
}

func retryDuringFailedSweep(t *testing.T, s *service) {
	first := s.create("k")
	admin, f := s.admin(), s.foreign()
	f.sweeps(s)
	retry := background(func() reply { return s.create("k") })
	s.blocked(admin)
	f.end(f.tx.Rollback)
	if got := <-retry; !got.Replayed || got.Body != first.Body {
		t.Errorf("got %+v, want the whole old answer", got)
	}
	s.wantState(1, 1)
}

// Between claim and read nothing is waited for: one statement, one snapshot.
func readDuringSweep(t *testing.T, s *service) {
	first := s.create("k")
	duplicate, goOn := s.stopsBeforeRead(t)
	f := s.foreign()
	f.sweeps(s)
	close(goOn)
	if got := <-duplicate; !got.Replayed || got.Body != first.Body {
		t.Errorf("got %+v, want the whole old answer", got)
	}
	f.end(f.tx.Commit)
	s.wantReply(s.create("k"), 410, "idempotency_expired")
	s.wantState(1, 1)
}

// swept has a key whose retention is over.
func (s *service) swept() {
	s.t.Helper()
	s.wantReply(s.create("k"), 201, "")
	f := s.foreign()
	f.sweeps(s)
	f.end(f.tx.Commit)
}

// Between its claim and its read the record goes: it asks again, and executes.
func purgeBeforeRead(t *testing.T, s *service) {
	s.swept()
	duplicate, goOn := s.stopsBeforeRead(t)
	f := s.foreign()
	f.purges(s)
	f.end(f.tx.Commit)
	close(goOn)
	got := <-duplicate
	s.wantReply(got, 201, "")
	if got.Replayed {
		t.Errorf("got %+v, want a first execution", got)
	}
	s.wantState(2, 1)
}

// The insert waits for the row that is going: nobody knows yet whether it is.
func retryDuringPurge(t *testing.T, s *service) {
	s.swept()
	admin, f := s.admin(), s.foreign()
	f.purges(s)
	retry := background(func() reply { return s.call(t.Context(), "k", "a", creates("again")) })
	s.blocked(admin)
	f.end(f.tx.Commit)
	got := <-retry
	s.wantReply(got, 201, "")
	if got.Replayed {
		t.Errorf("got %+v, want a first execution", got)
	}
	s.wantState(2, 1)
}

func retryDuringFailedPurge(t *testing.T, s *service) {
	s.swept()
	admin, f := s.admin(), s.foreign()
	f.purges(s)
	retry := background(func() reply { return s.call(t.Context(), "k", "a", creates("again")) })
	s.blocked(admin)
	f.end(f.tx.Rollback)
	s.wantReply(<-retry, 410, "idempotency_expired")
	s.wantState(1, 1)
}

// A key that is being executed is no tombstone, however old.
func purgeDuringExecution(t *testing.T, s *service) {
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	f := s.foreign()
	f.sweeps(s)
	f.purges(s)
	f.end(f.tx.Commit)
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	if got := s.create("k"); !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

func tombstoneStaysClosed(t *testing.T, s *service) {
	first := s.create("k")
	duplicate, goOn := s.stopsBeforeRead(t)
	f := s.foreign()
	f.run(s.keys.(keys).queries.tombstone, map[string]any{
		"provider": s.keys.(keys).provider, "operation": "createOrder", "idempotency_key": "k",
	})
	close(goOn)
	if got := <-duplicate; !got.Replayed || got.Body != first.Body {
		t.Errorf("got %+v, want the whole old answer", got)
	}
	f.end(f.tx.Commit)
	for range 2 {
		s.wantReply(s.create("k"), 410, "idempotency_expired")
		s.wantReply(s.call(t.Context(), "k", "b", creates("b")), 422, "idempotency_key_reused")
	}
	s.wantState(1, 1)
}

// The business table refuses: that is the business's error, and leaves no key.
func newKeyOldNumber(t *testing.T, s *service) {
	s.wantReply(s.call(t.Context(), "old", "a", creates("number-1")), 201, "")
	got := s.call(t.Context(), "new", "b", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		return nil, errors.Join(insert(ctx, tx, "number-2"), insert(ctx, tx, "number-1"))
	})
	if sqlState(got.Err) != "23505" {
		t.Errorf("got %+v, want error 23505", got)
	}
	s.wantState(1, 1)
	s.wantFirst("new", "number-2")
	s.wantIdle()
}
