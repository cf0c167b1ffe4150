-- keys is created

-- keys is created.

CREATE TABLE keys (
    tenant_id uuid NOT NULL,
    region text COLLATE "C" NOT NULL CHECK (char_length(region) <= 8),
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint,
    headers bytea,
    body bytea,
    PRIMARY KEY (tenant_id, region, operation, idempotency_key)
) WITH (fillfactor = 75);

-- Unconditional, so that recording and emptying a response stay heap-only (HOT) updates.
CREATE INDEX keys_replay_until_idx ON keys (replay_until);

COMMENT ON TABLE keys IS 'Idempotency keys of scope account. One row for each key that was ever used.';
COMMENT ON COLUMN keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN keys.status IS 'HTTP status of the recorded response. NULL in a committed row: a tombstone.';
