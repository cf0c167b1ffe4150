package protocol_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
)

// keys is the key table of scope "provider", by the queries that the generator
// emitted. It stands in for what sqlc and idemgen make of them.
type keys struct {
	provider string
	queries  *queries
}

type queries struct{ claim, load, finish, tombstone, sweep, purge query }

// query is one of the emitted queries, with its arguments numbered.
type query struct {
	sql   string
	names []string
}

func (q query) args(values map[string]any) []any {
	args := make([]any, len(q.names))
	for i, name := range q.names {
		args[i] = values[name]
	}
	return args
}

var sqlcArg = regexp.MustCompile(`sqlc\.arg\((\w+)\)`)

const queriesFile = "../../queries/idempotency.sql"

func readQueries(t *testing.T) *queries {
	t.Helper()
	return parseQueries(readFile(t, queriesFile))
}

func parseQueries(file string) *queries {
	byName := map[string]query{}
	for _, text := range strings.Split(file, "-- name: ")[1:] {
		head, sql, _ := strings.Cut(text, "\n")
		name, _, _ := strings.Cut(head, " ")
		byName[name] = numbered(strings.TrimSuffix(strings.TrimSpace(sql), ";"))
	}
	return &queries{
		claim:     byName["ClaimProviderKey"],
		load:      byName["LoadProviderKey"],
		finish:    byName["FinishProviderKey"],
		tombstone: byName["TombstoneProviderKey"],
		sweep:     byName["SweepProviderKeys"],
		purge:     byName["PurgeProviderKeys"],
	}
}

func numbered(sql string) query {
	var q query
	q.sql = sqlcArg.ReplaceAllStringFunc(sql, func(arg string) string {
		name := sqlcArg.FindStringSubmatch(arg)[1]
		for i, known := range q.names {
			if known == name {
				return fmt.Sprintf("$%d", i+1)
			}
		}
		q.names = append(q.names, name)
		return fmt.Sprintf("$%d", len(q.names))
	})
	return q
}

func (k keys) Claim(ctx context.Context, db idemrt.DBTX, c idemrt.Claim) error {
	q := k.queries.claim
	var version int16
	return db.QueryRow(ctx, q.sql, q.args(map[string]any{
		"provider": k.provider, "operation": c.Operation, "idempotency_key": c.Key,
		"fingerprint": c.Fingerprint.Sum[:], "fingerprint_version": c.Fingerprint.Version,
		"replay_seconds": c.WindowSeconds,
	})...).Scan(&version)
}

func (k keys) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (r idemrt.Record, err error) {
	q := k.queries.load
	err = db.QueryRow(ctx, q.sql, q.args(map[string]any{
		"provider": k.provider, "operation": operation, "idempotency_key": key,
	})...).Scan(&r.Fingerprint, &r.FingerprintVersion, &r.Expired, &r.Status, &r.Headers, &r.Body)
	return r, err
}

func (k keys) Finish(ctx context.Context, db idemrt.DBTX, operation, key string, r idemrt.Recorded) error {
	q := k.queries.finish
	var finished int32
	return db.QueryRow(ctx, q.sql, q.args(map[string]any{
		"provider": k.provider, "operation": operation, "idempotency_key": key,
		"status": r.Status, "headers": r.Headers, "body": r.Body,
	})...).Scan(&finished)
}

// table is the same table for a sweeper.
func (q *queries) table() idem.Table {
	return idem.Table{
		Name:          "provider_idempotency_keys",
		LongestWindow: operation.Window,
		Sweep:         q,
	}
}

// Sweep implements [idemrt.Sweeping].
func (q *queries) Sweep(ctx context.Context, db idemrt.DBTX, batch idemrt.SweepBatch) (swept idemrt.SweptBatch, err error) {
	args := q.sweep.args(map[string]any{"swept_until": batch.SweptUntil, "batch_size": batch.BatchSize})
	err = db.QueryRow(ctx, q.sweep.sql, args...).Scan(&swept.Swept, &swept.SweptUntil)
	return swept, err
}

// Purge implements [idemrt.Sweeping].
func (q *queries) Purge(ctx context.Context, db idemrt.DBTX, batch idemrt.PurgeBatch) (int64, error) {
	args := q.purge.args(map[string]any{"retention_seconds": batch.RetentionSeconds, "batch_size": batch.BatchSize})
	tag, err := db.Exec(ctx, q.purge.sql, args...)
	return tag.RowsAffected(), err
}
