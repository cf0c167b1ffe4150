package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/idemdb"
)

// contender is one way to create an order once. call returns the status of the answer.
type contender struct {
	name     string
	http     bool // measured over HTTP
	replays  bool
	compares bool // answers 422 when a key means something else
	call     func(ctx context.Context, o order) (int, error)
	close    func()
}

const (
	namePlain       = "plain transaction"
	nameHandmade    = "handwritten, one statement a round trip"
	nameGuard       = "idem.Guard, fingerprint given"
	nameGenerated   = "generated server, called in process"
	nameAtEnd       = "for scale: no claim, recorded at the end"
	namePartitioned = "the same, responses in daily partitions"
	nameDBOS        = "DBOS Transact, RunAsTransaction"
	namePlainHTTP   = "plain transaction over HTTP"
	nameHTTP        = "generated server over HTTP"
	nameFiber       = "fiber's idempotency middleware over HTTP"
	nameSelect      = "SELECT by primary key"
)

// plain is the limit: no idempotency at all.
func plain(pool *pgxpool.Pool) contender {
	return contender{name: namePlain, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			_, err := createOrder(ctx, execIn(tx), caller(), &o.body)
			return err
		})
		return http.StatusCreated, err
	}}
}

// selectRecord is the least that a replay can be: one read of one row.
func selectRecord(pool *pgxpool.Pool) contender {
	return contender{name: nameSelect, replays: true, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		row, err := idemdb.New().LoadAccountKey(ctx, pool, idemdb.LoadAccountKeyParams{
			TenantID: caller().TenantID, UserID: caller().UserID, Operation: operationName, IdempotencyKey: o.key,
		})
		return int(row.Status), err
	}}
}

// startFunc starts a contender on an environment.
type startFunc func(context.Context, *environment) (contender, error)

func onPool(start func(*pgxpool.Pool) contender) startFunc {
	return func(_ context.Context, env *environment) (contender, error) { return start(env.pool), nil }
}

func starters() map[string]startFunc {
	return map[string]startFunc{
		namePlain:       onPool(plain),
		nameHandmade:    onPool(handwritten),
		nameGuard:       onPool(guarded),
		nameGenerated:   onPool(generated),
		nameAtEnd:       onPool(recordedAtEnd),
		namePartitioned: onPool(partitioned),
		nameDBOS:        startDBOS,
		namePlainHTTP:   startPlainHTTP,
		nameHTTP:        startGeneratedHTTP,
		nameFiber:       startFiber,
	}
}

// allNames are the contenders in the order of the tables.
func allNames() []string {
	return []string{namePlain, nameHandmade, nameGuard, nameGenerated, namePartitioned, nameAtEnd, nameDBOS, namePlainHTTP, nameHTTP, nameFiber}
}

func startContenders(ctx context.Context, env *environment, names []string) (all []contender, err error) {
	for _, name := range names {
		c, err := starters()[name](ctx, env)
		if err != nil {
			closeAll(all)
			return nil, fmt.Errorf("start %s: %w", name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func closeAll(contenders []contender) {
	for _, c := range contenders {
		c.close()
	}
}

func only(contenders []contender, keep func(contender) bool) (kept []contender) {
	for _, c := range contenders {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}
