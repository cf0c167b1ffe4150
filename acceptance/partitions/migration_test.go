package partitions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

const manual = "../../docs/partitioned-responses.md"

// The SQL in the manual makes two tables of one that is in use. Everybody is answered as
// before; a release whose tables these are not executes nothing.
func TestMigrationInTheManual(t *testing.T) {
	program := buildOneTable(t)
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		pool := pgtest.PoolOn(t, server, program.schema, paymentsTable)
		old := program.start(t, pool)
		firsts := map[string]reply{}
		for i := range 50 {
			key := fmt.Sprint("live", i)
			firsts[key] = old.first(key, 1)
		}
		declined := old.pay("declined", 402)
		old.first("spent", 1)
		old.tombstone("spent")
		old.first("over", 1)
		mustExec(t, pool, "UPDATE "+keysTable+" SET replay_until = replay_until - interval '4 days' WHERE idempotency_key = 'over'")
		old.first("soon", 1) // ends soon, which may be tomorrow
		mustExec(t, pool, "UPDATE "+keysTable+" SET replay_until = date_trunc('minute', now()) + interval '2 minutes' WHERE idempotency_key = 'soon'")

		s := newServiceOn(t, pool)
		s.wantRefused("early", 1, 503, "idempotency_unavailable")
		s.wantRefused("live0", 1, 503, "idempotency_unavailable")
		s.wantPayments(53)
		before := query[string](t, pool, recordsOf+keysTable+" AS r ORDER BY 1")

		mustExec(t, pool, migration(t))

		old.wantRefused("late", 1, 503, "idempotency_unavailable")
		old.wantRefused("live0", 1, 503, "idempotency_unavailable")
		for key, first := range firsts {
			s.wantReplay(key, 1, first)
			s.wantRefused(key, 2, 422, "idempotency_key_reused")
		}
		s.wantReplay("declined", 402, declined)
		s.wantClosed("spent", 1)
		s.wantClosed("over", 1)
		s.wantPayments(53)
		if diff := cmp.Diff(before, query[string](t, pool, recordsOf+keysTable+" AS r ORDER BY 1")); diff != "" {
			t.Errorf("keys (-before +after):\n%s", diff)
		}
		if n := s.responses(); n != 52 {
			t.Errorf("got %d responses, want those of the live, the declined and the soon", n)
		}
		if n := one[int](t, pool, "SELECT count(*) FROM "+responsesTable+"_default"); n != 0 {
			t.Errorf("got %d responses in the default partition, want none", n)
		}
		later := s.first("later", 1)
		s.wantReplay("later", 1, later)
		s.wantReplay("early", 1, s.first("early", 1))
		wantSameColumns(t, s, server)
	})
}

// recordsOf lists keys, with what must not change of them.
const recordsOf = `SELECT concat_ws(' ', account_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until) FROM `

// migration is the SQL in the manual, with the schema where psql would read it.
func migration(t *testing.T) string {
	t.Helper()
	_, text, found := strings.Cut(readFile(t, manual), "<!-- sql: one table to two -->\n```sql\n")
	script, _, closed := strings.Cut(text, "```")
	const include = "\\i schema/idempotency.sql\n"
	if !found || !closed || strings.Count(script, include) != 1 {
		t.Fatal("the manual does not have the SQL: has its mark changed?")
	}
	return strings.Replace(script, include, readFile(t, splitSchema), 1)
}

// wantSameColumns compares the tables of s with those of a fresh database.
func wantSameColumns(t *testing.T, s *service, server *pgserver.Server) {
	t.Helper()
	const columns = `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, identity_generation)
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name LIKE 'account_idempotency%' ORDER BY 1`
	fresh := newService(t, server)
	if diff := cmp.Diff(query[string](t, fresh.pool, columns), query[string](t, s.pool, columns)); diff != "" {
		t.Errorf("columns (-fresh +migrated):\n%s", diff)
	}
	const options = "SELECT coalesce(reloptions::text, '') FROM pg_class WHERE relname = '" + keysTable + "'"
	if got := one[string](t, s.pool, options); got != "" {
		t.Errorf("the key table has the options %s, want none", got)
	}
}
