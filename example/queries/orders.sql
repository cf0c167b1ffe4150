-- name: TakeFromStock :one
-- TakeFromStock takes a quantity of one article and returns its price. No row: there is not enough, or it is not sold in that currency.
UPDATE stock AS s
SET available = s.available - sqlc.arg(quantity)
FROM prices AS p
WHERE s.tenant_id = sqlc.arg(tenant_id)
    AND s.sku = sqlc.arg(sku)
    AND s.available >= sqlc.arg(quantity)
    AND p.tenant_id = s.tenant_id
    AND p.sku = s.sku
    AND p.currency = sqlc.arg(currency)
RETURNING p.amount;

-- name: InsertOrder :one
INSERT INTO orders (
    tenant_id,
    user_id,
    currency,
    total,
    ship_name,
    ship_street,
    ship_city,
    note,
    trace_id
) VALUES (
    sqlc.arg(tenant_id),
    sqlc.arg(user_id),
    sqlc.arg(currency),
    sqlc.arg(total),
    sqlc.arg(ship_name),
    sqlc.narg(ship_street),
    sqlc.arg(ship_city),
    sqlc.narg(note),
    sqlc.narg(trace_id)
)
RETURNING id, status, created_at;

-- name: InsertOrderItems :copyfrom
INSERT INTO order_items (
    order_id,
    position,
    sku,
    quantity,
    unit_price
) VALUES (
    sqlc.arg(order_id),
    sqlc.arg(position),
    sqlc.arg(sku),
    sqlc.arg(quantity),
    sqlc.arg(unit_price)
);

-- name: GetOrder :one
SELECT
    o.id,
    o.status,
    o.currency,
    o.total,
    o.created_at
FROM orders AS o
WHERE o.id = sqlc.arg(id)
    AND o.tenant_id = sqlc.arg(tenant_id)
    AND o.user_id = sqlc.arg(user_id);

-- name: ListOrderItems :many
SELECT
    i.sku,
    i.quantity
FROM order_items AS i
WHERE i.order_id = sqlc.arg(order_id)
ORDER BY i.position;

-- name: LockOrder :one
-- LockOrder makes whoever else changes the order wait for the end of the transaction.
SELECT o.status
FROM orders AS o
WHERE o.id = sqlc.arg(id)
    AND o.tenant_id = sqlc.arg(tenant_id)
    AND o.user_id = sqlc.arg(user_id)
FOR UPDATE;

-- name: CancelOrder :exec
UPDATE orders
SET
    status = 'cancelled',
    cancel_reason = sqlc.arg(reason)::text
WHERE id = sqlc.arg(id);

-- name: ReturnToStock :exec
-- ReturnToStock puts the articles of an order back. It locks them in the order of their names, as ordering does.
WITH returned AS (
    SELECT
        o.tenant_id,
        i.sku,
        sum(i.quantity)::bigint AS quantity
    FROM order_items AS i
    JOIN orders AS o ON o.id = i.order_id
    WHERE i.order_id = sqlc.arg(order_id)
    GROUP BY o.tenant_id, i.sku
), locked AS (
    SELECT
        s.tenant_id,
        s.sku,
        r.quantity
    FROM stock AS s
    JOIN returned AS r ON r.tenant_id = s.tenant_id AND r.sku = s.sku
    ORDER BY s.sku COLLATE "C"
    FOR UPDATE OF s
)
UPDATE stock AS s
SET available = s.available + l.quantity
FROM locked AS l
WHERE s.tenant_id = l.tenant_id
    AND s.sku = l.sku;
