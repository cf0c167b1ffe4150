// Package migrations holds migrations of key tables to the schema file: whatever the steps,
// a database that has taken them is as one that the schema file has made.
package migrations

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }

// catalogue is what a database knows of the tables, one fact a line. Partitions are left
// out, as are the names of NOT NULL constraints, which PostgreSQL 18 numbers when it makes a
// table anew.
const catalogue = `
WITH ours AS (
    SELECT c.oid, c.relkind, c.reloptions, n.nspname, format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^(pg_|information_schema)' AND NOT c.relispartition AND c.relkind IN ('r', 'p', 'i', 'I', 'S')
)
SELECT concat_ws(' ', relkind, name, reloptions) FROM ours
UNION ALL
SELECT concat_ws(' ', name, row_number() OVER (PARTITION BY name ORDER BY attnum), attname, format_type(atttypid, atttypmod),
    attnotnull, attidentity, CASE WHEN attcollation <> 0 THEN attcollation::regcollation END, col_description(oid, attnum))
FROM ours JOIN pg_attribute ON attrelid = oid
WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT concat_ws(' ', name, conname, convalidated, pg_get_constraintdef(c.oid))
FROM ours JOIN pg_constraint AS c ON conrelid = ours.oid
WHERE contype <> 'n'
UNION ALL
SELECT concat_ws(' ', name, pg_get_indexdef(oid)) FROM ours WHERE relkind IN ('i', 'I')
UNION ALL
SELECT concat_ws(' ', name, obj_description(oid)) FROM ours
UNION ALL
SELECT pg_get_functiondef(p.oid)
FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
WHERE n.nspname !~ '^(pg_|information_schema)'
ORDER BY 1`

// wantSame compares the tables of two databases.
func wantSame(t *testing.T, want, got *pgxpool.Pool) {
	t.Helper()
	if diff := cmp.Diff(query(t, want, catalogue), query(t, got, catalogue)); diff != "" {
		t.Errorf("catalogue (-schema file +migrations):\n%s", diff)
	}
}

func query(t *testing.T, pool *pgxpool.Pool, sql string) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return found
}

// run runs any number of statements, as a migration tool does.
func run(t *testing.T, pool *pgxpool.Pool, sql string) {
	t.Helper()
	if err := tryRun(t, pool, sql); err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
}

func tryRun(t *testing.T, pool *pgxpool.Pool, sql string) error {
	t.Helper()
	return pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error {
		_, err := conn.Conn().PgConn().Exec(t.Context(), sql).ReadAll()
		if err != nil {
			_, _ = conn.Exec(context.WithoutCancel(t.Context()), "ROLLBACK")
		}
		return err
	})
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t *testing.T, content string, elements ...string) {
	t.Helper()
	path := filepath.Join(elements...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// names lists what is in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	slices.Sort(found)
	return found
}
