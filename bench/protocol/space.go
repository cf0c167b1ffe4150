package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// oldKeys is how many rows are looked at.
const oldKeys = 100_000

// space prints what a key costs while it is recorded and afterwards.
func (b *benchmark) space(ctx context.Context) error {
	tab := table{head: []string{"heap and index, per key", "one table", "responses in daily partitions"}}
	err := b.within(ctx, place{}, []string{nameGenerated, namePartitioned}, func(env *environment, started []contender) error {
		row := []string{"a record, as executions leave it"}
		for i, c := range started {
			if _, err := record(ctx, c, oldKeys/20); err != nil {
				return err
			}
			bytes, err := bytesPerKey(ctx, env.pool, stores()[i])
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprintf("%d B", bytes))
		}
		tab.row(row...)
		row = []string{"a key without its response: a tombstone"}
		for _, s := range stores() {
			if err := s.fill(ctx, env.pool, nil); err != nil {
				return err
			}
			bytes, err := bytesPerKey(ctx, env.pool, s)
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprintf("%d B", bytes))
		}
		tab.row(row...)
		return nil
	})
	if err == nil {
		b.print(tab)
	}
	return err
}

// bytesPerKey divides everything that a store takes by its keys.
func bytesPerKey(ctx context.Context, pool *pgxpool.Pool, s store) (bytes int64, err error) {
	err = pool.QueryRow(ctx, `
		WITH named AS (SELECT name::regclass AS relation FROM unnest($1::text[]) AS name),
			stored AS (SELECT relation FROM named UNION SELECT relid FROM named, pg_partition_tree(relation))
		SELECT (SELECT sum(pg_total_relation_size(relation))::bigint FROM stored) / (SELECT count(*) FROM `+s.keys+")", s.tables()).Scan(&bytes)
	return bytes, err
}

// history compares a table that n keys have been through with an empty one.
func (b *benchmark) history(ctx context.Context, n int64) error {
	return b.within(ctx, place{}, []string{nameGenerated}, func(old *environment, with []contender) error {
		return b.within(ctx, place{}, []string{nameGenerated}, func(_ *environment, without []contender) error {
			start := time.Now()
			if err := fillKeys(ctx, old.pool, n, nil); err != nil {
				return err
			}
			size, err := bytesPerKey(ctx, old.pool, stores()[0])
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
