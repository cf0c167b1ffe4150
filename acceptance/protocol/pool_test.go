package protocol_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// site is where a service finds its database.
type site struct {
	direct string // the database's address
	via    string // where services connect
	mode   pgx.QueryExecMode
}

// newSite makes a database with the key tables on server, for one test.
func newSite(t *testing.T, server *pgserver.Server) site {
	t.Helper()
	address := pgtest.Database(t, server)
	admin := openPool(t, address)
	mustExec(t, admin, readFile(t, "../../schema/idempotency.sql"), pgx.QueryExecModeSimpleProtocol)
	mustExec(t, admin, "CREATE TABLE orders (note text PRIMARY KEY)")
	return site{direct: address, via: address, mode: pgx.QueryExecModeCacheStatement}
}

// eachSite runs the test on each demanded version of PostgreSQL, directly and
// through PgBouncer.
func eachSite(t *testing.T, run func(t *testing.T, here func(*testing.T) site)) {
	t.Helper()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		t.Run("direct", func(t *testing.T) {
			run(t, func(t *testing.T) site { return newSite(t, server) })
		})
		t.Run("pgbouncer", func(t *testing.T) {
			run(t, func(t *testing.T) site { return throughBouncer(t, newSite(t, server)) })
		})
	})
}

// open opens a pool of a service.
func (s site) open(t *testing.T, configure ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	inMode := func(c *pgxpool.Config) { c.ConnConfig.DefaultQueryExecMode = s.mode }
	return openPool(t, s.via, append([]func(*pgxpool.Config){inMode}, configure...)...)
}

func openPool(t *testing.T, url string, configure ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 4
	for _, c := range configure {
		c(config)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func mustExec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", firstLine(sql), err)
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
