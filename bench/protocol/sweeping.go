package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/orderapi"
	"github.com/idemgen/idemgen/idem"
)

// store is where the keys of a scope are kept.
type store struct {
	keys      string
	responses string // "" if they are in the same table
	// fill replaces what is in the store with oldKeys keys, of random names as
	// clients choose them, whose windows ended days ago. body is each one's response,
	// or nil for tombstones.
	fill func(ctx context.Context, pool *pgxpool.Pool, body []byte) error
}

func (s store) tables() []string {
	if s.responses == "" {
		return []string{s.keys}
	}
	return []string{s.keys, s.responses}
}

func stores() []store {
	return []store{
		{keys: "account_idempotency_keys", fill: fillTable},
		{keys: "daily_idempotency_keys", responses: "daily_idempotency_responses", fill: fillPartition},
	}
}

func fillTable(ctx context.Context, pool *pgxpool.Pool, body []byte) error {
	if _, err := pool.Exec(ctx, "TRUNCATE account_idempotency_keys"); err != nil {
		return err
	}
	if err := fillKeys(ctx, pool, oldKeys, body); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "VACUUM ANALYZE account_idempotency_keys")
	return err
}

func fillKeys(ctx context.Context, pool *pgxpool.Pool, n int64, body []byte) error {
	_, err := pool.Exec(ctx, `
		INSERT INTO account_idempotency_keys
		SELECT $3, 42, 'createOrder', gen_random_uuid()::text, sha256(n::text::bytea), 1,
			now() - interval '9 days', date_trunc('minute', now() - interval '5 days' + n * interval '10 milliseconds'),
			CASE WHEN $2::bytea IS NULL THEN NULL ELSE 201 END,
			CASE WHEN $2::bytea IS NULL THEN NULL ELSE 'Content-Type: application/json'::bytea END,
			$2::bytea
		FROM generate_series(1, $1::bigint) AS n`, n, body, caller().TenantID)
	return err
}

// fillPartition makes the partition of a day that is over.
func fillPartition(ctx context.Context, pool *pgxpool.Pool, body []byte) error {
	day := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -5)
	for _, sql := range []string{
		"TRUNCATE daily_idempotency_keys, daily_idempotency_responses",
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS daily_idempotency_responses_%s PARTITION OF daily_idempotency_responses FOR VALUES FROM ('%s') TO ('%s')",
			day.Format("20060102"), day.Format(time.RFC3339), day.AddDate(0, 0, 1).Format(time.RFC3339)),
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return err
		}
	}
	_, err := pool.Exec(ctx, `
		INSERT INTO daily_idempotency_keys
			(tenant_id, user_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)
		SELECT $2, 42, 'createDailyOrder', gen_random_uuid()::text, sha256(n::text::bytea), 1,
			now() - interval '9 days', date_trunc('minute', $3::timestamptz + n * interval '10 milliseconds')
		FROM generate_series(1, $1::bigint) AS n`, int64(oldKeys), caller().TenantID, day)
	if err == nil && body != nil {
		_, err = pool.Exec(ctx, `
			INSERT INTO daily_idempotency_responses (response_id, created_at, replay_until, status, headers, body)
			SELECT response_id, created_at, replay_until, 201, 'Content-Type: application/json'::bytea, $1::bytea
			FROM daily_idempotency_keys`, body)
	}
	if err == nil {
		_, err = pool.Exec(ctx, "VACUUM ANALYZE daily_idempotency_keys, daily_idempotency_responses")
	}
	return err
}

// emptied is what a way to get rid of old responses took, and VACUUM afterwards.
type emptied struct {
	took, vacuum         time.Duration
	wal, vacuumWAL, dead int64
}

// sweeping prints what it costs to get rid of responses.
func (b *benchmark) sweeping(ctx context.Context) error {
	kept, split := stores()[0], stores()[1]
	ways := []struct {
		label string
		store store
		empty func(context.Context, *pgxpool.Pool) error
	}{
		{"emptied by the sweeper, in batches of 1,000; the key stays closed", kept, sweep},
		{"deleted with their keys in batches of 1,000; the key is free again", kept, deleteOld},
		{"dropped by the sweeper with the partition of their day; the key stays closed", split, drop},
	}
	tab := table{head: []string{"100,000 responses of 1 KB, per response", "time", "WAL", "rows left dead", "VACUUM afterwards: time", "WAL"}}
	err := b.within(ctx, place{}, nil, func(env *environment, _ []contender) error {
		for _, way := range ways {
			if err := way.store.fill(ctx, env.pool, make([]byte, 1000)); err != nil {
				return err
			}
			cost, err := b.emptying(ctx, env, way.store, way.empty)
			if err != nil {
				return err
			}
			tab.row(append([]string{way.label}, cost.perRow()...)...)
		}
		return nil
	})
	if err == nil {
		b.print(tab)
	}
	return err
}

func (e emptied) perRow() []string {
	micros := func(d time.Duration) string { return fmt.Sprintf("%.2f µs", d.Seconds()*1e6/oldKeys) }
	bytes := func(n int64) string { return fmt.Sprintf("%d B", n/oldKeys) }
	return []string{micros(e.took), bytes(e.wal), fmt.Sprintf("%.1f", float64(e.dead)/oldKeys), micros(e.vacuum), bytes(e.vacuumWAL)}
}

func (b *benchmark) emptying(ctx context.Context, env *environment, s store, empty func(context.Context, *pgxpool.Pool) error) (cost emptied, err error) {
	timed := func(do func() error) (time.Duration, footprint, error) {
		before, err := b.look(ctx, env)
		start := time.Now()
		err = errors.Join(err, do())
		took := time.Since(start)
		after, lookErr := b.look(ctx, env)
		return took, footprint{wal: after.wal - before.wal, dead: after.dead - before.dead}, errors.Join(err, lookErr)
	}
	took, left, err := timed(func() error { return empty(ctx, env.pool) })
	if err != nil {
		return cost, err
	}
	cost.took, cost.wal, cost.dead = took, left.wal, left.dead
	took, left, err = timed(func() error {
		return env.direct(ctx, func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "VACUUM "+s.keys)
			return err
		})
	})
	cost.vacuum, cost.vacuumWAL = took, left.wal
	return cost, err
}

func sweep(ctx context.Context, pool *pgxpool.Pool) error {
	swept, err := pass(ctx, pool)
	if err == nil && swept.Emptied != oldKeys {
		return fmt.Errorf("emptied %d of %d", swept.Emptied, oldKeys)
	}
	return err
}

func drop(ctx context.Context, pool *pgxpool.Pool) error {
	swept, err := pass(ctx, pool)
	if err == nil && swept.Dropped != 1 {
		return fmt.Errorf("dropped %d partitions", swept.Dropped)
	}
	return err
}

func pass(ctx context.Context, pool *pgxpool.Pool) (idem.Swept, error) {
	sweeper, err := idem.NewSweeper(pool, orderapi.IdempotencyTables(), idem.WithLogger(quiet()))
	if err != nil {
		return idem.Swept{}, err
	}
	return sweeper.Sweep(ctx)
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
