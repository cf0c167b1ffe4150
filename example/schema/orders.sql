-- What the shop stores. Amounts are in minor units of their currency.

CREATE TABLE IF NOT EXISTS tokens (
    token_sha256 bytea PRIMARY KEY,
    tenant_id    uuid   NOT NULL,
    user_id      bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS providers (
    provider      text PRIMARY KEY,
    secret_sha256 bytea NOT NULL
);

CREATE TABLE IF NOT EXISTS stock (
    tenant_id uuid   NOT NULL,
    sku       text   NOT NULL,
    available bigint NOT NULL CHECK (available >= 0),
    PRIMARY KEY (tenant_id, sku)
);

CREATE TABLE IF NOT EXISTS prices (
    tenant_id uuid   NOT NULL,
    sku       text   NOT NULL,
    currency  text   NOT NULL,
    amount    bigint NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (tenant_id, sku, currency),
    FOREIGN KEY (tenant_id, sku) REFERENCES stock
);

CREATE TABLE IF NOT EXISTS orders (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id     uuid        NOT NULL,
    user_id       bigint      NOT NULL,
    status        text        NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'cancelled')),
    currency      text        NOT NULL,
    total         bigint      NOT NULL,
    ship_name     text        NOT NULL,
    ship_street   text,
    ship_city     text        NOT NULL,
    note          text,
    trace_id      text,
    cancel_reason text,
    created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS orders_account_idx ON orders (tenant_id, user_id);

CREATE TABLE IF NOT EXISTS order_items (
    order_id   uuid   NOT NULL REFERENCES orders,
    position   int    NOT NULL,
    sku        text   NOT NULL,
    quantity   int    NOT NULL CHECK (quantity > 0),
    unit_price bigint NOT NULL,
    PRIMARY KEY (order_id, position)
);

CREATE TABLE IF NOT EXISTS payments (
    id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    order_id uuid        NOT NULL REFERENCES orders,
    provider text        NOT NULL REFERENCES providers,
    amount   bigint      NOT NULL CHECK (amount > 0),
    paid_at  timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS payments_order_idx ON payments (order_id);

CREATE TABLE IF NOT EXISTS refunds (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    order_id   uuid        NOT NULL REFERENCES orders,
    amount     bigint      NOT NULL CHECK (amount > 0),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS refunds_order_idx ON refunds (order_id);
