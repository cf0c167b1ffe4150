package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/protocol/orderapi"
	"github.com/idemgen/idemgen/idem"
)

// fillSQL inserts records of random keys, as clients choose them. Their window
// ended days ago. $2 is a response's body, or null for tombstones.
const fillSQL = `
	INSERT INTO account_idempotency_keys
	SELECT $3, 42, 'createOrder', gen_random_uuid()::text, sha256(n::text::bytea), 1,
		now() - interval '9 days', date_trunc('minute', now() - interval '5 days' + n * interval '10 milliseconds'),
		CASE WHEN $2::bytea IS NULL THEN NULL ELSE 201 END,
		CASE WHEN $2::bytea IS NULL THEN NULL ELSE 'Content-Type: application/json'::bytea END,
		$2::bytea
	FROM generate_series(1, $1::bigint) AS n`

// oldKeys is how many rows are looked at.
const oldKeys = 100_000

// space prints what a key costs while it is recorded and afterwards, and what
// lies in between: the sweeper.
func (b *benchmark) space(ctx context.Context) error {
	tab := table{head: []string{"", "per key"}}
	err := b.within(ctx, place{}, []string{nameGenerated}, func(env *environment, started []contender) error {
		if _, err := record(ctx, started[0], oldKeys/20); err != nil {
			return err
		}
		size, err := bytesPerRow(ctx, env.pool)
		if err != nil {
			return err
		}
		tab.row("a record, as executions leave it, heap and index", fmt.Sprintf("%d B", size))
		if size, err = b.filled(ctx, env.pool, nil); err != nil {
			return err
		}
		tab.row("a tombstone, heap and index", fmt.Sprintf("%d B", size))
		return b.emptying(ctx, env, &tab)
	})
	if err == nil {
		b.print(tab)
	}
	return err
}

// emptying compares the sweeper with deleting.
func (b *benchmark) emptying(ctx context.Context, env *environment, tab *table) error {
	ways := []struct {
		label string
		empty func() error
	}{
		{"swept by the sweeper, in batches of 1,000: the key stays closed", func() error { return sweep(ctx, env.pool) }},
		{"deleted in batches of 1,000: the key is free again", func() error { return deleteOld(ctx, env.pool) }},
	}
	for _, way := range ways {
		if _, err := b.filled(ctx, env.pool, make([]byte, 1000)); err != nil {
			return err
		}
		before, err := b.look(ctx, env)
		if err != nil {
			return err
		}
		start := time.Now()
		if err := way.empty(); err != nil {
			return err
		}
		took := time.Since(start)
		after, err := b.look(ctx, env)
		if err != nil {
			return err
		}
		tab.row(way.label, fmt.Sprintf("%.1f µs, %d B of WAL, %.0f %% HOT", took.Seconds()*1e6/oldKeys,
			(after.wal-before.wal)/oldKeys, 100*float64(after.hot-before.hot)/oldKeys))
	}
	return nil
}

// filled replaces what is in the key table with old keys.
func (b *benchmark) filled(ctx context.Context, pool *pgxpool.Pool, body []byte) (bytes int64, err error) {
	if _, err := pool.Exec(ctx, "TRUNCATE account_idempotency_keys"); err != nil {
		return 0, err
	}
	if _, err := pool.Exec(ctx, fillSQL, oldKeys, body, caller().TenantID); err != nil {
		return 0, err
	}
	if _, err := pool.Exec(ctx, "VACUUM ANALYZE account_idempotency_keys"); err != nil {
		return 0, err
	}
	return bytesPerRow(ctx, pool)
}

func bytesPerRow(ctx context.Context, pool *pgxpool.Pool) (bytes int64, err error) {
	err = pool.QueryRow(ctx, `
		SELECT pg_total_relation_size('account_idempotency_keys') / count(*) FROM account_idempotency_keys`).Scan(&bytes)
	return bytes, err
}

func sweep(ctx context.Context, pool *pgxpool.Pool) error {
	sweeper, err := idem.NewSweeper(pool, orderapi.IdempotencyTables(), idem.SweeperOptions{Logger: quiet()})
	if err != nil {
		return err
	}
	swept, err := sweeper.Sweep(ctx, idem.SweepLimits{})
	if err == nil && swept.Emptied != oldKeys {
		return fmt.Errorf("swept %d of %d", swept.Emptied, oldKeys)
	}
	return err
}

func deleteOld(ctx context.Context, pool *pgxpool.Pool) error {
	for {
		tag, err := pool.Exec(ctx, `
			DELETE FROM account_idempotency_keys WHERE ctid = ANY (ARRAY(
				SELECT ctid FROM account_idempotency_keys WHERE replay_until <= now()
				ORDER BY replay_until LIMIT 1000 FOR UPDATE SKIP LOCKED))`)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
	}
}

// history compares a table that n keys have been through with an empty one.
func (b *benchmark) history(ctx context.Context, n int64) error {
	return b.within(ctx, place{}, []string{nameGenerated}, func(old *environment, with []contender) error {
		return b.within(ctx, place{}, []string{nameGenerated}, func(_ *environment, without []contender) error {
			start := time.Now()
			if _, err := old.pool.Exec(ctx, fillSQL, n, nil, caller().TenantID); err != nil {
				return err
			}
			size, err := bytesPerRow(ctx, old.pool)
			if err != nil {
				return err
			}
			// What filling left to be written is not what is measured.
			if err := old.direct(ctx, settle); err != nil {
				return err
			}
			b.heading("%d keys in the table (%d B each, filled in %v)", n, size, time.Since(start).Round(time.Second))
			with[0].name, without[0].name = "old", "empty"
			return b.compareHistory(ctx, []contender{without[0], with[0]})
		})
	})
}

func settle(conn *pgx.Conn) error {
	ctx := context.Background()
	if _, err := conn.Exec(ctx, "VACUUM ANALYZE account_idempotency_keys"); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, "CHECKPOINT")
	return err
}

func (b *benchmark) compareHistory(ctx context.Context, both []contender) error {
	first, replay, recorded := rates{}, rates{}, map[string][]string{}
	if err := b.warm(ctx, both); err != nil {
		return err
	}
	if err := b.fill(ctx, first, false, both, func(contender) task { return freshKeys() }); err != nil {
		return err
	}
	for _, c := range both {
		keys, err := record(ctx, c, recordsToReplay)
		if err != nil {
			return err
		}
		recorded[c.name] = keys
	}
	err := b.fill(ctx, replay, false, both, func(c contender) task { return repeats(recorded[c.name], newOrder, 201) })
	if err != nil {
		return err
	}
	tab := table{head: []string{"of an empty table's rate"}}
	rows := [][]string{{"first execution"}, {"replay"}}
	for _, callers := range b.callers {
		tab.head = append(tab.head, count(callers))
		for i, all := range []rates{first, replay} {
			rows[i] = append(rows[i], ratios(all[cell{"old", callers, false}], all[cell{"empty", callers, false}]).ratio())
		}
	}
	tab.rows = rows
	b.print(tab)
	return nil
}
