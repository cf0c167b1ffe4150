package migrations

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// cases returns the folder with the SQL of all cases of internal/migrate.
func cases(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^TestChanges$", "./internal/migrate", "-sql="+folder)
	cmd.Dir = command.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// Each change makes of a database with the tables before one with the tables after. Its way
// back undoes it, or refuses to.
func TestChanges(t *testing.T) {
	folder := cases(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for _, name := range names(t, folder) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				migrated, want := pgtest.PoolOn(t, server, read(t, folder, name, "before.sql")), pgtest.PoolOn(t, server, read(t, folder, name, "after.sql"))
				start := query(t, migrated, catalogue)
				up, down := read(t, folder, name, "up.sql"), read(t, folder, name, "down.sql")

				run(t, migrated, up)

				unused := drops.FindAllStringSubmatch(up, -1)
				for _, statement := range unused {
					run(t, migrated, statement[1])
				}
				wantSame(t, want, migrated)
				err := tryRun(t, migrated, down)
				switch {
				case strings.Contains(down, "RAISE EXCEPTION"):
					if err == nil || !strings.Contains(err.Error(), "idemgen does not revert a change of key tables") {
						t.Errorf("the way back: %v", err)
					}
					wantSame(t, want, migrated)
				case err != nil:
					t.Errorf("the way back: %v", err)
				case len(unused) == 0:
					if diff := cmp.Diff(start, query(t, migrated, catalogue)); diff != "" {
						t.Errorf("catalogue (-before +there and back):\n%s", diff)
					}
				}
			})
		}
	})
}

// drops finds the statements that a migration has as comments.
var drops = regexp.MustCompile(`(?m)^--     (DROP .*;)$`)

// records are keys of each kind: one that may be replayed, one whose response was swept, and
// one whose window is over.
const records = `
INSERT INTO keys (tenant_id, region, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until, status, headers, body)
SELECT gen_random_uuid(), 'north', 'pay', key, 'x', 1, now(), date_trunc('minute', now()) + until, status, 'h', convert_to(key, 'UTF8')
FROM (VALUES ('live', interval '1 day', 201::smallint), ('swept', '1 day', NULL), ('over', '-1 day', 201)) AS v (key, until, status)`

// Keys stay, and responses that may still be replayed stay with them: through a table of
// their own and back.
func TestResponsesMoveAlong(t *testing.T) {
	folder := cases(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		pool := pgtest.PoolOn(t, server, read(t, folder, "split", "before.sql"))
		run(t, pool, records)

		run(t, pool, read(t, folder, "split", "up.sql"))
		const replayed = `SELECT concat_ws(' ', idempotency_key, status, convert_from(body, 'UTF8')) FROM keys `
		want := []string{"live 201 live", "over", "swept"}
		if diff := cmp.Diff(want, query(t, pool, replayed+"LEFT JOIN responses USING (response_id, created_at, replay_until) ORDER BY 1")); diff != "" {
			t.Errorf("responses in a table of their own: %s", diff)
		}

		run(t, pool, read(t, folder, "join", "up.sql"))
		if diff := cmp.Diff(want, query(t, pool, replayed+"ORDER BY 1")); diff != "" {
			t.Errorf("responses in one table again: %s", diff)
		}
	})
}

// A table of responses that has another name has those that may still be replayed.
func TestResponsesMoveToAnotherTable(t *testing.T) {
	folder := cases(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		pool := pgtest.PoolOn(t, server, read(t, folder, "move-responses", "before.sql"), `
			INSERT INTO responses (response_id, created_at, replay_until, status, headers, body)
			VALUES (1, now(), now() + interval '1 day', 201, 'h', 'live'), (2, now(), now() - interval '1 minute', 201, 'h', 'over')`)
		run(t, pool, read(t, folder, "move-responses", "up.sql"))
		if diff := cmp.Diff([]string{"live"}, query(t, pool, "SELECT convert_from(body, 'UTF8') FROM answers")); diff != "" {
			t.Error(diff)
		}
	})
}

// Keys stay closed in the table that had them. Numbers of responses go on, because the old
// keys' and the new keys' responses are in one table.
func TestKeysStayInThePreviousTable(t *testing.T) {
	folder := cases(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		const columns = "operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)"
		const values = "'pay', 'k', 'x', 1, now(), now())"
		pool := pgtest.PoolOn(t, server, read(t, folder, "columns-split", "before.sql"), "INSERT INTO keys (tenant_id, "+columns+" VALUES (gen_random_uuid(), "+values)
		run(t, pool, read(t, folder, "columns-split", "up.sql"))
		run(t, pool, "INSERT INTO keys (tenant_id, user_id, "+columns+" VALUES (gen_random_uuid(), 1, "+values)
		got := query(t, pool, "SELECT 'new ' || (SELECT min(response_id) FROM keys) - (SELECT max(response_id) FROM keys_1) || ' ' || idempotency_key FROM keys_1")
		if len(got) != 1 || strings.HasPrefix(got[0], "new 0") || strings.HasPrefix(got[0], "new -") {
			t.Errorf("got %v, want the old key and a higher number for the new one", got)
		}
	})
}
