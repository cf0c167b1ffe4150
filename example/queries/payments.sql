-- name: LockOrderForPayment :one
-- LockOrderForPayment finds an order whoever placed it: a payment provider knows no accounts.
SELECT
    o.status,
    o.total
FROM orders AS o
WHERE o.id = sqlc.arg(id)
FOR UPDATE;

-- name: InsertPayment :exec
INSERT INTO payments (
    order_id,
    provider,
    amount,
    paid_at
) VALUES (
    sqlc.arg(order_id),
    sqlc.arg(provider),
    sqlc.arg(amount),
    sqlc.arg(paid_at)
);

-- name: OrderBalance :one
-- OrderBalance is what was paid for an order, and what of it was given back.
SELECT
    (SELECT COALESCE(sum(p.amount), 0) FROM payments AS p WHERE p.order_id = sqlc.arg(order_id)::uuid)::bigint AS paid,
    (SELECT COALESCE(sum(r.amount), 0) FROM refunds AS r WHERE r.order_id = sqlc.arg(order_id)::uuid)::bigint AS refunded;

-- name: MarkPaid :exec
UPDATE orders
SET status = 'paid'
WHERE id = sqlc.arg(id)
    AND status = 'open';

-- name: InsertRefund :one
INSERT INTO refunds (
    order_id,
    amount
) VALUES (
    sqlc.arg(order_id),
    sqlc.arg(amount)
)
RETURNING id;
