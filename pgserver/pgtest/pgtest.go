// Package pgtest gives tests a PostgreSQL server and each test a fresh
// database on it.
//
// TestMain must hand its tests to [Main], which stops the servers at the end:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m).Run()) }
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }
//
// These variables of the environment have a say:
//
//   - TEST_DATABASE_URL is a server to use rather than to start one. Its user
//     must be allowed to create databases.
//   - IDEMGEN_POSTGRES lists the major versions to test on, such as 15,18. A
//     version that cannot be had is a failure.
//   - IDEMGEN_REQUIRE=1 makes it a failure, not a skip, that there is no
//     PostgreSQL at all.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/pgserver"
)

// patience bounds the start of a server, and with it the fetching of its
// programs.
const patience = 5 * time.Minute

// Each runs the test once on each version that IDEMGEN_POSTGRES demands, and on
// whatever server is there when it demands none. Each run is a subtest, so that
// both the test and what it hands over may call t.Parallel, whatever is demanded.
func Each(t *testing.T, run func(t *testing.T, server *pgserver.Server)) {
	t.Helper()
	demanded := versions()
	if len(demanded) == 0 {
		t.Run("postgres", func(t *testing.T) { run(t, Server(t)) })
		return
	}
	for _, version := range demanded {
		t.Run("postgres"+version, func(t *testing.T) { run(t, shared(t, version)) })
	}
}

// Server returns the process's server: of the first version that
// IDEMGEN_POSTGRES demands, else whatever is there. All tests share it.
func Server(t testing.TB) *pgserver.Server {
	t.Helper()
	if demanded := versions(); len(demanded) > 0 {
		return shared(t, demanded[0])
	}
	server := shared(t, "")
	t.Logf("IDEMGEN_POSTGRES is not set; testing on %s", server)
	return server
}

// Own starts a server for one test, which may halt it, and stops it when the
// test is over. An empty Version means that of [Server].
func Own(t testing.TB, options pgserver.Options) *pgserver.Server {
	t.Helper()
	if demanded := versions(); options.Version == "" && len(demanded) > 0 {
		options.Version = demanded[0]
	}
	server, err := start(options)
	if err != nil {
		missing(t, options.Version, err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// OwnEach is [Own] for each version that IDEMGEN_POSTGRES demands, and for
// whatever is there when it demands none. There is at least one.
func OwnEach(t testing.TB, options pgserver.Options) []*pgserver.Server {
	t.Helper()
	demanded := versions()
	if len(demanded) == 0 {
		return []*pgserver.Server{Own(t, options)}
	}
	var all []*pgserver.Server
	for _, options.Version = range demanded {
		all = append(all, Own(t, options))
	}
	return all
}

// Database creates an empty database on server and returns its address. It is
// dropped when the test is over.
func Database(t testing.TB, server *pgserver.Server) string {
	t.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	address, err := server.Database(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's context is over by now.
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := server.Drop(ctx, name); err != nil {
			t.Error(err)
		}
	})
	return address
}

// Pool returns a pool on a fresh database of [Server], which has run schemas,
// SQL scripts, in order.
func Pool(t testing.TB, schemas ...string) *pgxpool.Pool {
	t.Helper()
	return PoolOn(t, Server(t), schemas...)
}

// PoolOn is [Pool] on another server.
func PoolOn(t testing.TB, server *pgserver.Server, schemas ...string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), Database(t, server))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for _, schema := range schemas {
		if _, err := pool.Exec(t.Context(), schema); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

// versions are the major versions that IDEMGEN_POSTGRES demands.
func versions() []string {
	return strings.FieldsFunc(os.Getenv("IDEMGEN_POSTGRES"), func(r rune) bool { return r == ',' || r == ' ' })
}

// missing ends a test that has no server: as a failure when one was demanded,
// else as skipped.
func missing(t testing.TB, version string, err error) {
	t.Helper()
	switch {
	case version != "" || !errors.Is(err, pgserver.ErrNotFound) || os.Getenv("IDEMGEN_REQUIRE") == "1":
		t.Fatalf("no PostgreSQL to test on: %v", err)
	default:
		t.Skipf("SKIPPED, no PostgreSQL to test on: %v", err)
	}
}
