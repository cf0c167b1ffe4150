-- name: CountKeys :one
SELECT count(*) FROM account_idempotency_keys;
