package protocol_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/wire"
	"github.com/idemgen/idemgen/idem/idemrt"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// What an error means depends on the step at which it comes. Each is provoked on
// a real server, and leaves nothing behind: the key executes afterwards.
func TestErrorsByStep(t *testing.T) {
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		t.Parallel()
		for name, test := range map[string]struct {
			provoke func(*service) reply
			status  int    // 0: the error is the business function's
			code    string // of the problem
			logged  string // part of the log
		}{
			"claim 57014":   {claimTimesOut, 409, "idempotency_in_flight", `"step":"claim","sqlstate":"57014"`},
			"claim 40P01":   {claimDeadlocks, 201, "", ""},
			"claim 40001":   {failsAt("40001", ""), 503, "idempotency_unavailable", `"step":"claim","sqlstate":"40001"`},
			"claim 57P01":   {claimTerminated, 503, "idempotency_unavailable", `"step":"claim","sqlstate":"57P01"`},
			"claim I/O":     {claimCut, 503, "idempotency_unavailable", `"step":"claim"`},
			"claim 25006":   {claimReadOnly, 503, "idempotency_unavailable", `"step":"claim","sqlstate":"25006"`},
			"claim 53100":   {failsAt("53100", ""), 503, "idempotency_unavailable", `"sqlstate":"53100"`},
			"claim 42P01":   {claimWithoutTable, 503, "idempotency_unavailable", `"step":"claim","cause":"idem: the key table is not the one that this code was generated for","sqlstate":"42P01"`},
			"claim 42703":   {claimWithoutColumn, 503, "idempotency_unavailable", `"step":"claim","cause":"idem: the key table is not the one that this code was generated for","sqlstate":"42703"`},
			"claim 42501":   {claimNotPermitted, 500, "idempotency_internal_error", `"step":"claim","sqlstate":"42501"`},
			"claim XX000":   {failsAt("XX000", ""), 500, "idempotency_internal_error", `"sqlstate":"XX000"`},
			"acquire 53300": {tooManyConnections, 503, "idempotency_unavailable", `"step":"acquire","sqlstate":"53300"`},
			"acquire 3D000": {noSuchDatabase, 503, "idempotency_unavailable", `"step":"acquire","sqlstate":"3D000"`},

			"load 57014": {failsAt("", "57014"), 409, "idempotency_in_flight", `"step":"load","sqlstate":"57014"`},
			"load 40001": {failsAt("", "40001"), 503, "idempotency_unavailable", `"step":"load","sqlstate":"40001"`},
			"load 25P03": {loadTooLate, 503, "idempotency_unavailable", `"step":"load","sqlstate":"25P03"`},
			"load 42703": {failsAt("", "42703"), 503, "idempotency_unavailable", `"level":"ERROR"`},

			"business error":     {businessFails, 0, "", ""},
			"business 23505":     {businessHitsKey, 0, "", ""},
			"business 25P03":     {businessTooSlow, 503, "idempotency_unavailable", `"step":"recover","sqlstate":"25P03"`},
			"business 40P01":     {businessRaises("40P01"), 0, "", ""},
			"finish 25P02":       {finishAborted, 500, "idempotency_internal_error", `"step":"finish","sqlstate":"25P02"`},
			"finish 25P01":       {businessRuns("ROLLBACK"), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"25P01"`},
			"finish 3B001":       {businessRuns("ROLLBACK", "BEGIN"), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"3B001"`},
			"finish rolled back": {withoutSavepoint(businessRuns("ROLLBACK")), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"22012"`},
			"finish begun again": {withoutSavepoint(businessRuns("ROLLBACK", "BEGIN")), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"22012"`},
			"finish chained":     {withoutSavepoint(businessRuns("ROLLBACK AND CHAIN")), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"22012"`},
			"finish 22012":       {businessRuns("DELETE FROM provider_idempotency_keys"), 500, "idempotency_internal_error", `"step":"finish","sqlstate":"22012"`},
			"business swallows":  {businessSwallows, 500, "idempotency_internal_error", `ignored a database error`},

			"COMMIT 40001": {commitRaises("40001"), 503, "idempotency_unavailable", `"step":"commit","sqlstate":"40001"`},
			"COMMIT 40P01": {commitRaises("40P01"), 503, "idempotency_unavailable", `"step":"commit","sqlstate":"40P01"`},
			"COMMIT 23505": {commitHitsKey, 0, "", ""},
			"COMMIT P0001": {commitRaises("P0001"), 0, "", ""},
			"COMMIT 40003": {commitRaises("40003"), 503, "idempotency_unavailable", `"step":"recover","sqlstate":"40003"`},
			"COMMIT 08006": {commitRaises("08006"), 503, "idempotency_unavailable", `"step":"recover","sqlstate":"08006"`},
			"COMMIT 57P02": {commitRaises("57P02"), 503, "idempotency_unavailable", `"step":"recover","sqlstate":"57P02"`},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newServiceAt(t, newSite(t, server))
				got := test.provoke(s)
				if test.status == 0 {
					if got.Err == nil {
						t.Fatalf("got %+v, want the business function's error", got)
					}
				} else {
					s.wantReply(got, test.status, test.code)
				}
				s.wantLogged(test.logged)
				if test.status != 201 {
					s.wantState(0, 0)
					s.wantFirst("k", "order")
				}
				s.wantState(1, 1)
				s.wantIdle()
			})
		}
	})
}

// From PostgreSQL 17 on the server can end a transaction, and the session with it.
func TestClaimTransactionTimeout(t *testing.T) {
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		if server.Major() < "17" {
			return
		}
		s := newServiceAt(t, newSite(t, server))
		f := s.foreign()
		f.claims(s)
		hasty := s.instance(func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["transaction_timeout"] = "100ms" })
		s.wantReply(hasty.create("k"), 503, "idempotency_unavailable")
		s.wantLogged(`"step":"claim","sqlstate":"25P04"`)
		f.end(f.tx.Rollback)
		s.wantFirst("k", "order")
	})
}

// set changes a setting for connections to come.
func (s *service) set(setting string) {
	s.t.Helper()
	mustExec(s.t, s.admin(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET `+setting+`', current_database()); END $$`)
}

func (s *service) reset(name string) {
	s.t.Helper()
	mustExec(s.t, s.admin(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET `+name+`', current_database()); END $$`)
	s.pool.Reset()
}

func claimTimesOut(s *service) reply {
	f := s.foreign()
	f.claims(s)
	s.set("statement_timeout = ''50ms''")
	got := s.create("k")
	f.end(f.tx.Rollback)
	s.reset("statement_timeout")
	return got
}

// claimDeadlocks has a claim wait for another's row while that one waits for the
// claim's lock. The claim loses and starts over.
func claimDeadlocks(s *service) reply {
	f, admin := s.foreign(), s.admin()
	f.exec("SET LOCAL deadlock_timeout = '1h'")
	f.claims(s)
	s.set("deadlock_timeout = ''3s''") // the server looks once, when it has waited as long
	call := background(func() reply { return s.create("k") })
	s.blocked(admin)
	// Returns once the claim has lost.
	f.exec(`SELECT pg_advisory_xact_lock(hash_record_extended(ROW('provider_idempotency_keys'::text, $1::text, 'createOrder'::text, 'k'::text), 0))`,
		s.keys.(keys).provider)
	f.end(f.tx.Rollback)
	return <-call
}

func claimTerminated(s *service) reply {
	f, admin := s.foreign(), s.admin()
	f.claims(s)
	call := background(func() reply { return s.create("k") })
	s.terminateBlocked(admin)
	f.end(f.tx.Rollback)
	return <-call
}

func claimCut(s *service) reply {
	return s.broken(&wire.Wire{Marker: "savepoint idempotent_business\x00", Fault: wire.LoseMessage}).create("k")
}

func claimReadOnly(s *service) reply {
	return s.instance(func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on" }).create("k")
}

func claimWithoutTable(s *service) reply {
	mustExec(s.t, s.admin(), "ALTER TABLE provider_idempotency_keys RENAME TO elsewhere")
	defer mustExec(s.t, s.admin(), "ALTER TABLE elsewhere RENAME TO provider_idempotency_keys")
	return s.create("k")
}

func claimWithoutColumn(s *service) reply {
	mustExec(s.t, s.admin(), "ALTER TABLE provider_idempotency_keys RENAME COLUMN replay_until TO valid_until")
	defer mustExec(s.t, s.admin(), "ALTER TABLE provider_idempotency_keys RENAME COLUMN valid_until TO replay_until")
	return s.create("k")
}

func claimNotPermitted(s *service) reply { return s.asRole("5").create("k") }

func tooManyConnections(s *service) reply { return s.asRole("0").create("k") }

// asRole returns an instance that connects as somebody without permissions, who
// may have so many connections.
func (s *service) asRole(connections string) *service {
	s.t.Helper()
	name, admin := "role_"+strings.ToLower(rand.Text()), s.admin()
	address, err := url.Parse(s.site.direct)
	if err != nil {
		s.t.Fatal(err)
	}
	mustExec(s.t, admin, "CREATE ROLE "+name+" LOGIN PASSWORD 'secret' CONNECTION LIMIT "+connections)
	s.t.Cleanup(func() { mustExec(s.t, admin, "DROP ROLE "+name) })
	address.User = url.UserPassword(name, "secret")
	there := s.site
	there.via = address.String()
	other := *s
	other.site = there
	return other.instance()
}

func noSuchDatabase(s *service) reply {
	return s.instance(func(c *pgxpool.Config) { c.ConnConfig.Database += "_gone" }).create("k")
}

// failsAt has the database raise an error in claim, or claim in vain and raise it
// in load.
func failsAt(claim, load string) func(*service) reply {
	return func(s *service) reply {
		other := *s
		other.keys = &raisingKeys{Keys: s.keys, claim: claim, load: load}
		return other.create("k")
	}
}

type raisingKeys struct {
	idemrt.Keys
	claim, load string
}

func (k *raisingKeys) Claim(ctx context.Context, db idemrt.DBTX, _ idemrt.Claim) error {
	if k.claim != "" {
		return raise(ctx, db, k.claim)
	}
	return claimInVain(ctx, db)
}

func (k *raisingKeys) Load(ctx context.Context, db idemrt.DBTX, _, _ string) (idemrt.Record, error) {
	return idemrt.Record{}, raise(ctx, db, k.load)
}

func raise(ctx context.Context, db idemrt.DBTX, code string) error {
	_, err := db.Exec(ctx, "DO $$ BEGIN RAISE SQLSTATE '"+code+"'; END $$")
	return err
}

func claimInVain(ctx context.Context, db idemrt.DBTX) error {
	return db.QueryRow(ctx, "SELECT 1 WHERE false").Scan(new(int))
}

// loadTooLate reads when the server has ended the idle transaction.
func loadTooLate(s *service) reply {
	other := s.instance(func(c *pgxpool.Config) {
		c.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "10ms"
		c.ConnConfig.RuntimeParams["application_name"] = "too-late"
	})
	other.keys = &lateKeys{Keys: s.keys, wait: func() { s.gone("too-late") }}
	return other.create("k")
}

type lateKeys struct {
	idemrt.Keys
	wait func()
}

func (k *lateKeys) Claim(ctx context.Context, db idemrt.DBTX, _ idemrt.Claim) error {
	return claimInVain(ctx, db)
}

func (k *lateKeys) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (idemrt.Record, error) {
	k.wait()
	return k.Keys.Load(ctx, db, operation, key)
}

// gone waits until no backend has this application name.
func (s *service) gone(application string) {
	admin := s.admin()
	for n := 1; n > 0; {
		err := admin.QueryRow(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()", application).Scan(&n)
		if err != nil {
			s.t.Error(err)
			return
		}
	}
}

func businessFails(s *service) reply {
	got := s.call(s.t.Context(), "k", "a", fails(errBusiness))
	if !errors.Is(got.Err, errBusiness) {
		s.t.Errorf("got %+v, want the business function's error", got)
	}
	return got
}

func businessHitsKey(s *service) reply {
	return s.call(s.t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		return nil, errors.Join(insert(ctx, tx, "x"), insert(ctx, tx, "x"))
	})
}

func businessTooSlow(s *service) reply {
	other := s.instance(func(c *pgxpool.Config) {
		c.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "100ms"
		c.ConnConfig.RuntimeParams["application_name"] = "too-slow"
	})
	return other.call(s.t.Context(), "k", "a", func(context.Context, pgx.Tx) (outcome, error) {
		s.gone("too-slow")
		return responds(201, ""), nil
	})
}

func businessRaises(code string) func(*service) reply {
	return businessRuns("DO $$ BEGIN RAISE SQLSTATE '" + code + "'; END $$")
}

func businessRuns(statements ...string) func(*service) reply {
	return func(s *service) reply { return s.call(s.t.Context(), "k", "a", runs(statements...)) }
}

// withoutSavepoint is for an operation of which no error is final.
func withoutSavepoint(provoke func(*service) reply) func(*service) reply {
	return func(s *service) reply {
		other := *s
		other.op = successOnly()
		return provoke(&other)
	}
}

func businessSwallows(s *service) reply { return s.call(s.t.Context(), "k", "a", swallows) }

// finishAborted finishes a transaction that was aborted after the last look at it.
func finishAborted(s *service) reply {
	other := *s
	other.keys = &abortingKeys{s.keys}
	return other.create("k")
}

type abortingKeys struct{ idemrt.Keys }

func (k *abortingKeys) Finish(ctx context.Context, db idemrt.DBTX, _, _ string, _ idemrt.Recorded) error {
	return raise(ctx, db, "25P02")
}

// commitRaises has a deferred constraint raise an error at COMMIT.
func commitRaises(code string) func(*service) reply {
	return func(s *service) reply {
		admin := s.admin()
		mustExec(s.t, admin, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE SQLSTATE '`+code+`'; END $$`)
		mustExec(s.t, admin, `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON orders
			DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
		defer mustExec(s.t, admin, "DROP TRIGGER late ON orders")
		got := s.create("k")
		if got.Err != nil && sqlState(got.Err) != code {
			s.t.Errorf("got error %v, want %s", got.Err, code)
		}
		return got
	}
}

func commitHitsKey(s *service) reply {
	mustExec(s.t, s.admin(), "CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
	got := s.call(s.t.Context(), "k", "a", runs("INSERT INTO late VALUES (1), (1)"))
	if sqlState(got.Err) != "23505" {
		s.t.Errorf("got error %v, want 23505", got.Err)
	}
	return got
}
