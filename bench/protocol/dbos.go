package main

import (
	"context"
	"net/http"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// startDBOS makes the order a workflow of one transaction, whose ID is the key.
// Its system tables are in the same database, which is its fastest arrangement.
func startDBOS(ctx context.Context, env *environment) (contender, error) {
	pool, err := env.newPool(ctx)
	if err != nil {
		return contender{}, err
	}
	runtime, err := dbos.NewContext(ctx, dbos.Config{AppName: "orders", SystemDBPool: pool, Logger: quiet()})
	if err != nil {
		pool.Close()
		return contender{}, err
	}
	source, err := dbos.NewDataSource(runtime, pool)
	if err != nil {
		pool.Close()
		return contender{}, err
	}
	workflow := func(ctx dbos.Context, body orderapi.NewOrder) (orderapi.Order, error) {
		return dbos.RunAsTransaction(ctx, source, func(ctx context.Context, tx dbos.Tx) (orderapi.Order, error) {
			exec := func(ctx context.Context, sql string, args ...any) error {
				_, err := tx.Exec(ctx, sql, args...)
				return err
			}
			return createOrder(ctx, exec, caller(), &body)
		})
	}
	dbos.RegisterWorkflow(runtime, workflow)
	if err := dbos.Launch(runtime); err != nil {
		pool.Close()
		return contender{}, err
	}
	return contender{
		name: nameDBOS, replays: true,
		call: func(_ context.Context, o order) (int, error) {
			handle, err := dbos.RunWorkflow(runtime, workflow, o.body, dbos.WithWorkflowID(o.key))
			if err != nil {
				return 0, err
			}
			_, err = handle.GetResult()
			return http.StatusCreated, err
		},
		close: func() {
			_ = dbos.Shutdown(runtime, 5*time.Second)
			pool.Close()
		},
	}, nil
}
