package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// What claiming a row costs, by going without: an advisory lock keeps duplicates
// out, and the record is inserted once, with the response. We do not offer that.
// Only the lock is between two executions then, and a business function that
// commits behind our back leaves the key open.
const (
	lockSQL = `
		SELECT pg_try_advisory_xact_lock(hash_record_extended(ROW($1::uuid, $2::bigint, $3::text, $4::text), 0))`
	lookSQL = `
		SELECT true FROM account_idempotency_keys
		WHERE tenant_id = $1 AND user_id = $2 AND operation = $3 AND idempotency_key = $4`
	insertSQL = `
		INSERT INTO account_idempotency_keys
		VALUES ($1, $2, $3, $4, $5, 1, now(), date_trunc('minute', now() + interval '72 hours 1 minute'), $6, $7, $8)`
)

var errNotFirst = errors.New("only first executions are measured")

func recordedAtEnd(pool *pgxpool.Pool) contender {
	return contender{name: nameAtEnd, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		conn, err := pool.Acquire(ctx)
		if err != nil {
			return 0, err
		}
		defer conn.Release() // closes it if a transaction is open
		return http.StatusCreated, executeAtEnd(ctx, conn.Conn(), o)
	}}
}

func executeAtEnd(ctx context.Context, conn *pgx.Conn, o order) error {
	who := caller()
	key := []any{who.TenantID, who.UserID, operationName, o.key}
	meaning := orderapi.Fingerprint(o.request()).Sum
	var locked, taken bool
	begin := &pgx.Batch{}
	begin.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	begin.Queue(lockSQL, key...).QueryRow(func(row pgx.Row) error { return row.Scan(&locked) })
	begin.Queue(lookSQL, key...).Query(func(rows pgx.Rows) error {
		taken = rows.Next()
		rows.Close()
		return rows.Err()
	})
	if err := conn.SendBatch(ctx, begin).Close(); err != nil {
		return err
	}
	if taken || !locked {
		return errNotFirst
	}
	created, err := createOrder(ctx, func(ctx context.Context, sql string, args ...any) error {
		_, err := conn.Exec(ctx, sql, args...)
		return err
	}, who, &o.body)
	if err != nil {
		return err
	}
	body, err := json.Marshal(created)
	if err != nil {
		return err
	}
	end := &pgx.Batch{}
	end.Queue(insertSQL, append(key, meaning[:], http.StatusCreated, headersOf(created), body)...)
	end.Queue("COMMIT")
	return conn.SendBatch(ctx, end).Close()
}
