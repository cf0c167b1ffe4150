CREATE TABLE merchants (
    merchant_id text PRIMARY KEY,
    token       text NOT NULL UNIQUE
);

CREATE TABLE payouts (
    payout_batch_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id     text NOT NULL REFERENCES merchants,
    sender_batch_id text,
    time_created    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (merchant_id, sender_batch_id)
);

CREATE TABLE payout_items (
    payout_batch_id bigint NOT NULL REFERENCES payouts,
    receiver        text NOT NULL,
    amount          text NOT NULL,
    currency        text NOT NULL
);
