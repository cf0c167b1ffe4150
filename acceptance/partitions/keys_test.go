package partitions

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/idemgen/idemgen/acceptance/internal/wire"
	"github.com/idemgen/idemgen/acceptance/partitions/service/idemdb"
	"github.com/idemgen/idemgen/acceptance/partitions/service/paymentapi"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/pgserver"
)

// The life of a key: executed, replayed, tombstoned or expired, and in the end purged.
func TestKey(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		first := s.first("k", 1)
		s.wantReplay("k", 1, first)
		s.wantRefused("k", 2, 422, "idempotency_key_reused")
		s.wantPayments(1)

		declined := s.pay("declined", 402)
		if declined.Status != 402 || declined.Replayed {
			t.Fatalf("got %+v, want a first 402", declined)
		}
		s.wantReplay("declined", 402, declined)
		s.wantPayments(1)

		spent := s.first("spent", 3)
		if n := s.tombstone("spent"); n != 1 {
			t.Errorf("got %d tombstones, want 1", n)
		}
		s.wantClosed("spent", 3)
		if n := s.tombstone("spent"); n != 0 {
			t.Errorf("got %d tombstones of a tombstone, want 0", n)
		}
		s.wantReplay("k", 1, first)

		s.first("old", 4)
		s.age("old", 3) // its window is three days and has hardly begun
		s.age("old", 1)
		s.wantClosed("old", 4)
		s.wantPayments(3)

		if r := s.first("after", 5); r.Body == spent.Body {
			t.Errorf("got %+v, want an answer of its own", r)
		}
	})
}

func TestKeyStatus(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		for _, key := range []string{"live", "spent", "old"} {
			s.first(key, 1)
		}
		s.tombstone("spent")
		s.age("old", 4)
		for key, want := range map[string]struct {
			status  int16
			expired bool
		}{
			"live": {201, false}, "spent": {0, true}, "old": {201, true},
		} {
			got, found := s.status(key)
			if !found || got.Status != want.status || got.Expired != want.expired || got.FingerprintVersion != 1 {
				t.Errorf("%s: got %+v, %t; want %+v", key, got, found, want)
			}
		}
		if got, found := s.status("free"); found {
			t.Errorf("free: got %+v, want nothing", got)
		}
	})
}

// Keys go when the retention is over, whether their responses have gone or not, and are
// free then. What is left of an old response is not given to whoever has the key next.
func TestPurge(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.first("live", 1)
		s.first("recent", 1)
		s.age("recent", 4)
		old := s.first("old", 1)
		s.age("old", 7)
		s.first("gone", 1)
		s.tombstone("gone")
		s.age("gone", 7)
		sweeper, err := idem.NewSweeper(s.pool, paymentapi.IdempotencyTables(), idem.WithRetention(80*time.Hour), idem.WithBatch(1))
		if err != nil {
			t.Fatal(err)
		}
		before := one[int64](t, s.pool, "SELECT max(response_id) FROM "+keysTable)
		tx := begin(t, s.pool) // keeps the old response from being cleared away
		if n := one[int](t, tx, "SELECT count(*) FROM "+responsesTable); n != 3 {
			t.Fatalf("got %d responses, want 3", n)
		}
		swept, err := sweeper.Sweep(t.Context())
		if want := (idem.Swept{Purged: 2}); err != nil || swept != want {
			t.Errorf("got %+v, %v; want %+v", swept, err, want)
		}
		s.wantClosed("recent", 1)
		if n := s.responses(); n != 3 {
			t.Errorf("got %d responses, want 3: purging is of keys", n)
		}
		again := s.first("old", 1)
		if again.Body == old.Body {
			t.Errorf("got the old answer %+v", again)
		}
		s.wantReplay("old", 1, again)
		if id := one[int64](t, s.pool, "SELECT response_id FROM "+keysTable+" WHERE idempotency_key = 'old'"); id <= before {
			t.Errorf("got response_id %d again, which may be up to %d", id, before)
		}
	})
}

func TestTwentyAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		instances := []*service{s, newServiceOn(t, openPool(t, s.pool))}
		replies := make([]reply, 20)
		var group sync.WaitGroup
		for i := range replies {
			group.Go(func() { replies[i] = instances[i%2].pay("k", 1) })
		}
		group.Wait()
		firsts := 0
		for _, r := range replies {
			if !r.Replayed {
				firsts++
			}
			if r.Status != 201 || r.Body != replies[0].Body {
				t.Errorf("got %+v and %+v", r, replies[0])
			}
		}
		if firsts != 1 || s.responses() != 1 {
			t.Errorf("got %d first executions and %d responses, want one", firsts, s.responses())
		}
		s.wantPayments(1)
	})
}

// A claim that is not this transaction's own, or is gone, must not commit.
func TestClaimLost(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		for name, sql := range map[string]string{
			"deleted":   "DELETE FROM " + keysTable,
			"another's": "UPDATE " + keysTable + " SET created_at = created_at - interval '1 microsecond'",
		} {
			t.Run(name, func(t *testing.T) {
				s := newService(t, server)
				s.before = func(ctx context.Context, tx pgx.Tx) error {
					_, err := tx.Exec(ctx, sql)
					return err
				}
				s.wantRefused("k", 1, 500, "idempotency_internal_error")
				if !strings.Contains(s.log.String(), "22012") {
					t.Errorf("22012 is not in the log:\n%s", s.log)
				}
				if n := s.responses(); n != 0 {
					t.Errorf("got %d responses, want none", n)
				}
				s.wantPayments(0)
				s.before = nil
				s.wantReplay("k", 1, s.first("k", 1))
			})
		}
	})
}

// A response is recorded by the transaction that claimed the key, and by no later one.
func TestFinishInAnotherTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		claim := idemdb.ClaimAccountKeyParams{
			AccountID: account, Operation: "createPayment", IdempotencyKey: "k",
			Fingerprint: make([]byte, 32), FingerprintVersion: 1, ReplaySeconds: 3600,
		}
		finish := idemdb.FinishAccountKeyParams{
			AccountID: account, Operation: "createPayment", IdempotencyKey: "k",
			Status: 201, Headers: []byte{}, Body: []byte{},
		}
		if _, err := idemdb.New().ClaimAccountKey(t.Context(), s.pool, claim); err != nil {
			t.Fatal(err)
		}
		var refused *pgconn.PgError
		if _, err := idemdb.New().FinishAccountKey(t.Context(), s.pool, finish); !errors.As(err, &refused) || refused.Code != "22012" {
			t.Errorf("got %v, want 22012", err)
		}
		s.wantRefused("k", 1, 422, "idempotency_key_reused") // a tombstone of another meaning

		tx := begin(t, s.pool)
		claim.IdempotencyKey, finish.IdempotencyKey = "l", "l"
		if _, err := idemdb.New().ClaimAccountKey(t.Context(), tx, claim); err != nil {
			t.Fatal(err)
		}
		if _, err := idemdb.New().FinishAccountKey(t.Context(), tx, finish); err != nil {
			t.Errorf("in the claim's own: %v", err)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := s.responses(); n != 1 {
			t.Errorf("got %d responses, want one", n)
		}
	})
}

// The COMMIT is not answered: what became of it is found out.
func TestUnknownCommit(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		for name, fault := range map[string]func([]byte, net.Conn) error{"done": wire.LoseAnswer, "not done": wire.LoseMessage} {
			t.Run(name, func(t *testing.T) {
				s := newService(t, server)
				w := wire.Commits(fault)
				faulty := newServiceOn(t, openPool(t, s.pool, w.Install))
				w.Armed.Store(true)
				got := faulty.pay("k", 1)
				if w.Armed.Load() {
					t.Fatal("no COMMIT was lost")
				}
				if name == "not done" {
					if got.Code != "idempotency_unavailable" {
						t.Errorf("got %+v, want 503", got)
					}
					s.wantPayments(0)
					s.first("k", 1)
				} else if got.Status != 201 || !got.Replayed {
					t.Errorf("got %+v, want what was recorded", got)
				}
				s.wantPayments(1)
			})
		}
	})
}

// Where response IDs start again, as after logical replication, which leaves sequences
// out, a key whose response is gone does not get that of another.
func TestResponseIDsStartAgain(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.first("k", 1)
		if n := s.tombstone("k"); n != 1 {
			t.Fatalf("forgot %d responses, want 1", n)
		}
		mustExec(t, s.pool, "ALTER TABLE "+keysTable+" ALTER response_id RESTART")
		other := s.first("other", 1)
		mustExec(t, s.pool, `UPDATE `+keysTable+` SET replay_until = (SELECT max(replay_until) FROM `+keysTable+`)`)
		mustExec(t, s.pool, `UPDATE `+responsesTable+` SET replay_until = (SELECT max(replay_until) FROM `+keysTable+`)`)
		if n := one[int](t, s.pool, "SELECT count(DISTINCT (replay_until, response_id)) FROM "+keysTable); n != 1 {
			t.Fatalf("got %d places for responses, want both keys to have the same", n)
		}
		s.wantClosed("k", 1)
		if n := s.tombstone("k"); n != 0 {
			t.Errorf("forgot %d responses, want none", n)
		}
		s.wantReplay("other", 1, other)
	})
}

// A key's response is looked for where it is, in one partition, also by a plan that is
// made for all keys.
func TestOnePartitionIsRead(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.first("k", 1)
		partition := s.partitionOf("k")
		queries := statements(readFile(t, splitQueries))
		for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
			for _, name := range []string{"LoadAccountKey", "AccountKeyStatus", "TombstoneAccountKey"} {
				tx := begin(t, s.pool)
				for _, sql := range []string{
					"SET LOCAL plan_cache_mode = " + mode,
					"PREPARE p (bigint, text, text) AS " + queries[name],
				} {
					if _, err := tx.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
						t.Fatal(err)
					}
				}
				plan := query[string](t, tx, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE p (7, 'createPayment', 'k')", pgx.QueryExecModeSimpleProtocol)
				if got := scanned(plan); !cmp.Equal(got, []string{partition}) {
					t.Errorf("%s, %s: scans %v, want %s alone:\n%s", name, mode, got, partition, strings.Join(plan, "\n"))
				}
				if err := tx.Rollback(t.Context()); err != nil {
					t.Fatal(err)
				}
				if _, err := s.pool.Exec(t.Context(), "DEALLOCATE ALL"); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// scanned are the partitions that a plan's execution has scanned.
func scanned(plan []string) []string {
	var names []string
	for _, line := range plan {
		_, scan, found := strings.Cut(line, " on "+responsesTable+"_")
		if !found || strings.Contains(line, "Bitmap Index Scan") || !strings.Contains(line, "Scan") || strings.Contains(line, "never executed") {
			continue
		}
		suffix, _, _ := strings.Cut(scan, " ")
		names = append(names, responsesTable+"_"+suffix)
	}
	return names
}
