package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// footprint is what calls left behind.
type footprint struct {
	trips, wal int64
	dead, hot  int64 // row versions that died; by updates that stayed on their page
	inserted   int64
}

// counted is how many calls are counted; countedPause lets duplicates meet.
const (
	counted      = 200
	countedPause = 10 * time.Millisecond
)

// counts prints, per request, what does not depend on the machine.
func (b *benchmark) counts(ctx context.Context) error {
	tab := table{head: []string{"per request", "round trips", "WAL", "rows inserted", "row versions left dead", "of them HOT"}}
	for _, name := range allNames() {
		err := b.within(ctx, place{proxied: true, poolSize: 4}, []string{name}, func(env *environment, started []contender) error {
			return b.countAll(ctx, env, started[0], &tab)
		})
		if err != nil {
			return err
		}
	}
	b.print(tab)
	return nil
}

// kinds are the kinds of calls that are counted.
const (
	kindFirst    = "first execution"
	kindReplay   = "replay"
	kindMismatch = "mismatch"
	kindTogether = "20 duplicates at once"
)

func (b *benchmark) countAll(ctx context.Context, env *environment, c contender, tab *table) error {
	for _, kind := range []string{kindFirst, kindReplay, kindMismatch, kindTogether} {
		if kind != kindFirst && !c.replays {
			continue
		}
		calls, err := callsOf(ctx, c, kind)
		if err != nil {
			return err
		}
		f, err := b.countOne(ctx, env, calls)
		if err != nil {
			return err
		}
		if kind == kindMismatch && !c.compares {
			kind = "mismatch, answered like a replay"
		}
		tab.row(append([]string{c.name + ": " + kind}, f.perRequest()...)...)
	}
	return nil
}

func (f footprint) perRequest() []string {
	per := func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/counted) }
	return []string{per(f.trips), fmt.Sprintf("%d B", f.wal/counted), per(f.inserted), per(f.dead), per(f.hot)}
}

// countOne counts what counted calls leave behind, alone on the server. They are
// made once beforehand, so that statements are prepared.
func (b *benchmark) countOne(ctx context.Context, env *environment, calls func() error) (footprint, error) {
	if err := calls(); err != nil {
		return footprint{}, err
	}
	before, err := b.look(ctx, env)
	if err != nil {
		return footprint{}, err
	}
	start := env.proxy.trips.Load()
	if err := calls(); err != nil {
		return footprint{}, err
	}
	trips := env.proxy.trips.Load() - start
	after, err := b.look(ctx, env)
	return footprint{
		trips: trips, wal: after.wal - before.wal,
		dead: after.dead - before.dead, hot: after.hot - before.hot, inserted: after.inserted - before.inserted,
	}, err
}

// callsOf makes counted calls of one kind.
func callsOf(ctx context.Context, c contender, kind string) (func() error, error) {
	if kind == kindTogether {
		return func() error { return together(ctx, c) }, nil
	}
	t := freshKeys()
	if kind != kindFirst {
		keys, err := record(ctx, c, 100)
		if err != nil {
			return nil, err
		}
		switch {
		case kind == kindReplay:
			t = repeats(keys, newOrder, 201)
		case c.compares:
			t = repeats(keys, otherMeaning, 422)
		default:
			t = repeats(keys, otherMeaning, 201)
		}
	}
	return func() error {
		var s slice
		for range counted {
			if err := s.once(ctx, c, t); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// together sends 20 duplicates at once, of as many keys as make counted calls.
func together(ctx context.Context, c contender) error {
	const duplicates = 20
	var w weather
	for range counted / duplicates {
		w.burst(ctx, c, newOrder(uuid.NewString()).withPause(countedPause), duplicates)
	}
	if w.answered != counted {
		return fmt.Errorf("%s: answered %d of %d duplicates", c.name, w.answered, counted)
	}
	return nil
}

// look reads the server's counters. A backend reports its own late, unless it is
// told to.
func (b *benchmark) look(ctx context.Context, env *environment) (f footprint, err error) {
	for _, pool := range env.pools {
		for _, conn := range pool.AcquireAllIdle(ctx) {
			_, err := conn.Exec(ctx, "SELECT pg_stat_force_next_flush()")
			conn.Release()
			if err != nil {
				return f, err
			}
		}
	}
	return f, env.direct(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `
			SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint,
				coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint, coalesce(sum(n_tup_hot_upd), 0)::bigint,
				coalesce(sum(n_tup_ins), 0)::bigint
			FROM pg_stat_user_tables`).Scan(&f.wal, &f.dead, &f.hot, &f.inserted)
	})
}

// fingerprintCost is what one fingerprint takes.
func fingerprintCost() time.Duration {
	const times = 20000
	request := newOrder(uuid.NewString()).request()
	start := time.Now()
	for range times {
		orderapi.Fingerprint(request)
	}
	return time.Since(start) / times
}
