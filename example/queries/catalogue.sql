-- name: PutToken :exec
INSERT INTO tokens (
    token_sha256,
    tenant_id,
    user_id
) VALUES (
    sqlc.arg(token_sha256),
    sqlc.arg(tenant_id),
    sqlc.arg(user_id)
)
ON CONFLICT (token_sha256) DO NOTHING;

-- name: PutProvider :exec
INSERT INTO providers (
    provider,
    secret_sha256
) VALUES (
    sqlc.arg(provider),
    sqlc.arg(secret_sha256)
)
ON CONFLICT (provider) DO NOTHING;

-- name: PutStock :exec
INSERT INTO stock (
    tenant_id,
    sku,
    available
) VALUES (
    sqlc.arg(tenant_id),
    sqlc.arg(sku),
    sqlc.arg(available)
)
ON CONFLICT (tenant_id, sku) DO NOTHING;

-- name: PutPrice :exec
INSERT INTO prices (
    tenant_id,
    sku,
    currency,
    amount
) VALUES (
    sqlc.arg(tenant_id),
    sqlc.arg(sku),
    sqlc.arg(currency),
    sqlc.arg(amount)
)
ON CONFLICT (tenant_id, sku, currency) DO NOTHING;

-- name: Restock :exec
UPDATE stock
SET available = available + sqlc.arg(quantity)
WHERE tenant_id = sqlc.arg(tenant_id)
    AND sku = sqlc.arg(sku);
