package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// What a service's author writes: a statement after the other, duplicates wait
// on the row, and FOR SHARE keeps the record from being deleted meanwhile.
const (
	claimSQL = `
		INSERT INTO account_idempotency_keys
			(tenant_id, user_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)
		VALUES ($1, $2, $3, $4, $5, 1, now(), date_trunc('minute', now() + interval '72 hours 1 minute'))
		ON CONFLICT DO NOTHING`
	readSQL = `
		SELECT fingerprint, coalesce(status, 0), body FROM account_idempotency_keys
		WHERE tenant_id = $1 AND user_id = $2 AND operation = $3 AND idempotency_key = $4
		FOR SHARE`
	recordSQL = `
		UPDATE account_idempotency_keys SET status = $5, headers = $6, body = $7
		WHERE tenant_id = $1 AND user_id = $2 AND operation = $3 AND idempotency_key = $4`
)

func handwritten(pool *pgxpool.Pool) contender {
	return contender{
		name: nameHandmade, replays: true, compares: true, close: func() {},
		call: func(ctx context.Context, o order) (status int, err error) {
			err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				status, err = handwrittenIn(ctx, tx, o)
				return err
			})
			return status, err
		},
	}
}

func handwrittenIn(ctx context.Context, tx pgx.Tx, o order) (int, error) {
	who := caller()
	key := []any{who.TenantID, who.UserID, operationName, o.key}
	meaning := orderapi.Fingerprint(o.request()).Sum
	if _, err := tx.Exec(ctx, claimSQL, append(key, meaning[:])...); err != nil {
		return 0, err
	}
	var recorded, body []byte
	var status int
	if err := tx.QueryRow(ctx, readSQL, key...).Scan(&recorded, &status, &body); err != nil {
		return 0, err
	}
	if !bytes.Equal(recorded, meaning[:]) {
		return http.StatusUnprocessableEntity, nil
	}
	if status != 0 {
		return status, nil
	}
	created, err := createOrder(ctx, execIn(tx), who, &o.body)
	if err != nil {
		return 0, err
	}
	if body, err = json.Marshal(created); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, recordSQL, append(key, http.StatusCreated, headersOf(created), body)...)
	return http.StatusCreated, err
}

// headersOf are the response's headers as they are recorded.
func headersOf(created orderapi.Order) []byte {
	return []byte("Content-Type: application/json\r\nLocation: /orders/" + created.Id.String() + "\r\n")
}
