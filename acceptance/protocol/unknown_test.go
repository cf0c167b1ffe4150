package protocol_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/wire"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// shortly is a recovery that gives up soon; what it asks for does not come.
var shortly = idem.WithRecoveryTimeout(300 * time.Millisecond)

// broken returns another instance of s, behind w, which breaks now.
func (s *service) broken(w *wire.Wire, options ...idem.GuardOption) *service {
	s.t.Helper()
	other := s.instance(w.Install)
	other.guard = s.newGuard(other.pool, options...)
	w.Armed.Store(true)
	return other
}

// The COMMIT happened and its answer was lost: the caller gets what was recorded.
func TestUnknownCommitCommitted(t *testing.T) {
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for name, fault := range map[string]func([]byte, net.Conn) error{
			"answer lost":          wire.LoseAnswer,
			"all sent but its end": wire.SendPart(-1), // of Sync, which COMMIT does not need
		} {
			t.Run(name, func(t *testing.T) {
				s := newServiceAt(t, newSite(t, server))
				faulty := s.broken(wire.Commits(fault))
				for _, name := range []string{"at once", "again"} {
					got := faulty.create("k")
					s.wantReply(got, 201, "")
					if !got.Replayed || got.Body != "{\"note\":\"order\"}\n" {
						t.Errorf("%s: got %+v, want a replay of the record", name, got)
					}
				}
				s.wantState(1, 1)
				faulty.wantIdle()
			})
		}
	})
}

// The connection broke somewhere in the finish, before all of it was sent:
// nothing was done, and the caller is told just that.
func TestUnknownCommitRolledBack(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func([]byte, net.Conn) error{
		"nothing sent":       wire.LoseMessage,
		"release cut":        wire.SendPart(10),
		"finish cut":         wire.SendPart(200),
		"all but the commit": wire.SendPart(-60),
		"commit cut":         wire.SendPart(-8),
		"write fails":        func([]byte, net.Conn) error { return net.ErrClosed },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			faulty := s.broken(wire.Commits(fault))
			got := faulty.create("k")
			s.wantReply(got, 503, "idempotency_unavailable")
			if got.Header.Get("Retry-After") != "2" {
				t.Errorf("got Retry-After %q, want 2", got.Header.Get("Retry-After"))
			}
			s.wantState(0, 0)
			faulty.wantFirst("k", "order")
			faulty.wantIdle()
		})
	}
}

// The COMMIT was lost, and another call was quicker with the key.
func TestUnknownCommitOtherWon(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meaning string
		status  int
		code    string
	}{
		"another fingerprint": {"b", 422, "idempotency_key_reused"},
		"the same":            {"a", 201, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			faulty := s.broken(wire.Commits(wire.LoseMessage))
			asking := newPausedKeys(s.keys, 1, never)
			lost := background(func() reply {
				answer, err := execute(t.Context(), faulty.guard, s.op, asking, new("k"), fingerprints("a"), creates("lost"))
				return s.sent(answer, err)
			})
			<-asking.reached
			s.wantReply(s.call(t.Context(), "k", test.meaning, creates("won")), 201, "")
			close(asking.goOn)
			got := <-lost
			s.wantReply(got, test.status, test.code)
			if test.code == "" && (!got.Replayed || got.Body != "{\"note\":\"won\"}\n") {
				t.Errorf("got %+v, want the winner's answer", got)
			}
			s.wantState(1, 1)
		})
	}
}

// pausedKeys stop once, before a claim or a load, until they may go on.
type pausedKeys struct {
	idemrt.Keys
	claims, loads int // how many pass before it
	reached, goOn chan struct{}
}

func newPausedKeys(keys idemrt.Keys, claims, loads int) *pausedKeys {
	return &pausedKeys{Keys: keys, claims: claims, loads: loads, reached: make(chan struct{}), goOn: make(chan struct{})}
}

const never = -1

func (k *pausedKeys) Claim(ctx context.Context, db idemrt.DBTX, claim idemrt.Claim) error {
	k.pass(&k.claims)
	return k.Keys.Claim(ctx, db, claim)
}

func (k *pausedKeys) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (idemrt.Record, error) {
	k.pass(&k.loads)
	return k.Keys.Load(ctx, db, operation, key)
}

func (k *pausedKeys) pass(left *int) {
	if *left == 0 {
		close(k.reached)
		<-k.goOn
	}
	*left--
}

// commitWaits makes COMMIT of an order wait for a lock, which the test holds
// until it calls the function that is returned.
func (s *service) commitWaits() (release func()) {
	s.t.Helper()
	admin := s.admin()
	mustExec(s.t, admin, `CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$`)
	mustExec(s.t, admin, `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON orders
		DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_test()`)
	conn, err := admin.Acquire(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Release)
	if _, err := conn.Exec(s.t.Context(), "SELECT pg_advisory_lock(42)"); err != nil {
		s.t.Fatal(err)
	}
	return func() {
		if _, err := conn.Exec(context.Background(), "SELECT pg_advisory_unlock(42)"); err != nil {
			s.t.Error(err)
		}
	}
}

// blocked waits until a backend of s's database waits for a lock, and returns
// its process id.
func (s *service) blocked(admin *pgxpool.Pool) (pid int) {
	for pid == 0 {
		err := admin.QueryRow(context.Background(), `SELECT coalesce(max(pid), 0) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&pid)
		if err != nil {
			s.t.Error(err)
			return 0
		}
	}
	return pid
}

// The old backend lives on after its connection broke, and then commits. The
// call, and a duplicate that waits at the gate, wait for that.
func TestUnknownCommitOldBackendAlive(t *testing.T) {
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		s := newServiceAt(t, newSite(t, server))
		release, admin, asked := s.commitWaits(), s.admin(), &counter{}
		w := wire.Commits(func(p []byte, server net.Conn) error {
			_, err := server.Write(p)
			s.blocked(admin)
			return err
		})
		w.Deaf = true
		faulty := s.instance(w.Install, asked.trace)
		w.Armed.Store(true)
		counted := &countingKeys{Keys: s.keys}
		faulty.keys = counted
		calls := make([]<-chan reply, 3)
		for i := range calls {
			calls[i] = background(func() reply { return faulty.create("k") })
		}
		asked.waitFor(2 + 4) // claim and finish; then two tries in vain, each a claim and a load
		release()
		for _, call := range calls {
			got := <-call
			s.wantReply(got, 201, "")
			if !got.Replayed {
				t.Errorf("got %+v, want a replay", got)
			}
		}
		s.wantState(1, 1)
		faulty.wantIdle()
		if claims := counted.claims.Load(); claims < 4 {
			t.Errorf("got %d claims, want the first and three asking", claims)
		}
	})
}

// The old backend lives on for longer than anybody asks.
func TestUnknownCommitStaysUnknown(t *testing.T) {
	t.Parallel()
	s := newService(t)
	release, admin := s.commitWaits(), s.admin()
	w := wire.Commits(func(p []byte, server net.Conn) error {
		_, err := server.Write(p)
		s.blocked(admin)
		return err
	})
	w.Deaf = true
	got := s.broken(w, shortly).create("k")
	s.wantReply(got, 503, "idempotency_outcome_unknown")
	if got.Header.Get("Retry-After") != "2" {
		t.Errorf("got Retry-After %q, want 2", got.Header.Get("Retry-After"))
	}
	release()
	if got := s.create("k"); !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

// The old backend waits in COMMIT and is ended: by the request to cancel that
// follows a broken connection, by the finish's own timeout, or by an operator.
func TestUnknownCommitOldBackendEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after   func(s *service, admin *pgxpool.Pool) // once it waits
		options []idem.GuardOption
		cut     bool
	}{
		"cancelled":  {cut: true},
		"timed out":  {options: []idem.GuardOption{idem.WithFinishTimeout(300 * time.Millisecond)}},
		"terminated": {after: (*service).terminateBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			release, admin := s.commitWaits(), s.admin()
			w := wire.Commits(func(p []byte, server net.Conn) error {
				_, err := server.Write(p)
				s.blocked(admin)
				return err
			})
			faulty := s.instance(w.Install)
			faulty.guard = s.newGuard(faulty.pool, test.options...)
			w.Armed.Store(test.cut)
			call := background(func() reply { return faulty.create("k") })
			if test.after != nil {
				test.after(s, admin)
			}
			s.wantReply(<-call, 503, "idempotency_unavailable")
			s.wantState(0, 0)
			release()
			faulty.wantFirst("k", "order")
			faulty.wantIdle()
		})
	}
}

func (s *service) terminateBlocked(admin *pgxpool.Pool) {
	var gone bool
	err := admin.QueryRow(context.Background(), "SELECT pg_terminate_backend($1, 10000)", s.blocked(admin)).Scan(&gone)
	if err != nil || !gone {
		s.t.Errorf("gone %v, %v", gone, err)
	}
}

// The server restarts after COMMIT was sent, or before.
func TestUnknownCommitServerRestarts(t *testing.T) {
	t.Parallel()
	server := pgtest.Own(t, pgserver.Options{})
	for _, test := range []struct {
		name   string
		fault  func([]byte, net.Conn) error
		status int
		code   string
	}{
		{"after COMMIT", wire.LoseAnswer, 201, ""},
		{"before COMMIT", wire.LoseMessage, 503, "idempotency_unavailable"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServiceAt(t, newSite(t, server))
			resumed := make(chan error, 1)
			w := wire.Commits(func(p []byte, conn net.Conn) error {
				err := errors.Join(test.fault(p, conn), server.Halt())
				go func() { resumed <- server.Resume(context.Background()) }()
				return err
			})
			got := s.broken(w, idem.WithRecoveryTimeout(time.Minute)).create("k")
			if err := <-resumed; err != nil {
				t.Fatal(err)
			}
			s.pool.Reset()
			s.wantReply(got, test.status, test.code)
			if got := s.create("k"); got.Replayed != (test.status == 201) {
				t.Errorf("got %+v", got)
			}
			s.wantState(1, 1)
		})
	}
	t.Run("and stays down", func(t *testing.T) {
		s := newServiceAt(t, newSite(t, server))
		w := wire.Commits(func(p []byte, conn net.Conn) error {
			return errors.Join(wire.LoseAnswer(p, conn), server.Halt())
		})
		s.wantReply(s.broken(w, shortly).create("k"), 503, "idempotency_outcome_unknown")
		if err := server.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.pool.Reset()
		if got := s.create("k"); !got.Replayed {
			t.Errorf("got %+v, want a replay", got)
		}
	})
}

// The pool is closed while COMMIT is under way.
func TestUnknownCommitPoolGone(t *testing.T) {
	t.Parallel()
	s := newService(t)
	var faulty *service
	closed := make(chan struct{})
	w := wire.Commits(func(p []byte, conn net.Conn) error {
		go func() {
			faulty.pool.Close() // waits for the connection that is in use
			close(closed)
		}()
		for { // until it is closed to others
			other, err := faulty.pool.Acquire(context.Background())
			if err != nil {
				return wire.LoseAnswer(p, conn)
			}
			other.Release()
		}
	})
	faulty = s.broken(w, shortly)
	s.wantReply(faulty.create("k"), 503, "idempotency_outcome_unknown")
	<-closed
	if got := s.create("k"); !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

// Nobody waits for the answer any more; it is found out all the same.
func TestUnknownCommitClientGone(t *testing.T) {
	t.Parallel()
	s := newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	faulty := s.broken(wire.Commits(func(p []byte, conn net.Conn) error {
		cancel()
		return wire.LoseAnswer(p, conn)
	}))
	got := faulty.call(ctx, "k", "a", creates("order"))
	s.wantReply(got, 201, "")
	if !got.Replayed {
		t.Errorf("got %+v, want a replay", got)
	}
	s.wantState(1, 1)
}

// An unprotected call cannot ask again: it gets an error.
func TestUnknownCommitWithoutKey(t *testing.T) {
	t.Parallel()
	s := newService(t)
	faulty := s.broken(wire.Commits(wire.LoseMessage))
	optional := operation
	optional.Key.Required = false
	answer, err := execute(t.Context(), faulty.guard, &optional, faulty.keys, nil, fingerprints("a"), creates("order"))
	if !errors.Is(err, idem.ErrUnknownOutcome) {
		t.Errorf("got %+v, %v, want ErrUnknownOutcome", answer, err)
	}
	s.wantState(0, 0)
}
