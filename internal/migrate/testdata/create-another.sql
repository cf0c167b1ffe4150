-- other is created

-- other is created.

CREATE TABLE other (
    user_id bigint NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint,
    headers bytea,
    body bytea,
    PRIMARY KEY (user_id, operation, idempotency_key)
) WITH (fillfactor = 75);

-- Unconditional, so that recording and emptying a response stay heap-only (HOT) updates.
CREATE INDEX other_replay_until_idx ON other (replay_until);

COMMENT ON TABLE other IS 'Idempotency keys of scope account. One row for each key that was ever used.';
COMMENT ON COLUMN other.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN other.status IS 'HTTP status of the recorded response. NULL in a committed row: a tombstone.';
