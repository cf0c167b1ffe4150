package pgtest_test

import (
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

func TestPoolIsOnADatabaseOfItsOwn(t *testing.T) {
	const schema = "CREATE TABLE things (n int); INSERT INTO things VALUES (1)"
	for range 2 {
		pool := pgtest.Pool(t, schema)
		if n := count(t, pool); n != 1 {
			t.Errorf("%d things in a fresh database, want 1", n)
		}
	}
}

func TestParallelTestsShareAServer(t *testing.T) {
	address := pgtest.Server(t).URL()
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if got := pgtest.Server(t).URL(); got != address {
				t.Errorf("another server at %s, want %s", got, address)
			}
			pgtest.Pool(t, "CREATE TABLE things (n int)")
		})
	}
}

func TestDatabaseIsDroppedAfterTheTest(t *testing.T) {
	var address string
	server := pgtest.Server(t)
	t.Run("uses it", func(t *testing.T) { address = pgtest.Database(t, server) })
	pool, err := pgxpool.New(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := pool.Ping(t.Context()); err == nil {
		t.Error("the database is still there")
	}
}

func TestEachRunsOnEveryDemandedVersion(t *testing.T) {
	installed := pgtest.Server(t).Major()
	t.Setenv("IDEMGEN_POSTGRES", installed)
	var runs atomic.Int32
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		runs.Add(1)
		if server.Major() != installed {
			t.Errorf("version %s, want %s", server.Version(), installed)
		}
	})
	if n := runs.Load(); n != 1 {
		t.Errorf("%d runs, want 1", n)
	}
}

func TestOwnServerMayBeHalted(t *testing.T) {
	server := pgtest.Own(t, pgserver.Options{})
	pool := pgtest.PoolOn(t, server)
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	pool.Reset()
	if err := pool.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDatabaseURLIsUsed(t *testing.T) {
	running := pgtest.Own(t, pgserver.Options{})
	t.Setenv("TEST_DATABASE_URL", running.URL())
	server := pgtest.AttachOrStart(t, "")
	if !server.Attached() || server.URL() != running.URL() {
		t.Errorf("got %s, want the server of TEST_DATABASE_URL", server)
	}
	if other := pgtest.AttachOrStart(t, running.Major()); !other.Attached() {
		t.Errorf("got %s, want the server of TEST_DATABASE_URL, which has the version", other)
	}
}

func count(t *testing.T, pool *pgxpool.Pool) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM things").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
