-- name: AccountOfToken :one
SELECT
    t.tenant_id,
    t.user_id
FROM tokens AS t
WHERE t.token_sha256 = sqlc.arg(token_sha256);

-- name: ProviderSecret :one
SELECT p.secret_sha256
FROM providers AS p
WHERE p.provider = sqlc.arg(provider);
