package partitions

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }

const (
	keysTable      = "account_idempotency_keys"
	responsesTable = "account_idempotency_responses"

	splitSchema  = "service/schema/idempotency.sql"
	splitQueries = "service/queries/idempotency.sql"

	paymentsTable = `CREATE TABLE payments (
		execution bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		amount bigint NOT NULL,
		note text NOT NULL
	)`
)

// onEach runs the test on a fresh database of each PostgreSQL, beside others.
func onEach(t *testing.T, test func(t *testing.T, server *pgserver.Server)) {
	t.Helper()
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		t.Parallel()
		test(t, server)
	})
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// statements returns the statements of a generated file of queries, by name. Their
// parameters are numbered: the account, the operation and the key.
func statements(queries string) map[string]string {
	found := map[string]string{}
	for _, text := range strings.Split(queries, "-- name: ")[1:] {
		name, _, _ := strings.Cut(text, " ")
		_, sql, _ := strings.Cut(text, "\n")
		found[name] = strings.NewReplacer(
			"sqlc.arg(account_id)", "$1", "sqlc.arg(operation)", "$2", "sqlc.arg(idempotency_key)", "$3",
		).Replace(strings.TrimSuffix(strings.TrimSpace(sql), ";"))
	}
	return found
}

// openPool opens another pool on the database of pool.
func openPool(t *testing.T, pool *pgxpool.Pool, configure ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config := pool.Config().Copy()
	for _, c := range configure {
		c(config)
	}
	other, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	return other
}

// database is what a pool and a transaction have in common.
type database interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// query returns what a query finds, one value a row.
func query[T any](t *testing.T, db database, sql string, args ...any) []T {
	t.Helper()
	rows, err := db.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return found
}

// one is query for the one row that there must be.
func one[T any](t *testing.T, db database, sql string, args ...any) T {
	t.Helper()
	found := query[T](t, db, sql, args...)
	if len(found) != 1 {
		t.Fatalf("%s: got %d rows, want one", sql, len(found))
	}
	return found[0]
}

func mustExec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// begin begins a transaction that is rolled back when the test is over, if not before.
func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // if it is still open
	return tx
}
