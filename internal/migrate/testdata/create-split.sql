-- keys is created

-- keys is created.

CREATE TABLE keys (
    tenant_id uuid NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    PRIMARY KEY (tenant_id, operation, idempotency_key)
);

-- For purging.
CREATE INDEX keys_replay_until_idx ON keys (replay_until);

COMMENT ON TABLE keys IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN keys.response_id IS 'With created_at and replay_until, the key''s response in responses. None in a committed row: a tombstone.';

CREATE TABLE responses (
    response_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint NOT NULL,
    headers bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (replay_until, response_id)
) PARTITION BY RANGE (replay_until);

COMMENT ON TABLE responses IS 'Recorded responses of scope account. One partition for each day (UTC) on which windows end.';
COMMENT ON COLUMN responses.status IS 'HTTP status of the recorded response.';

-- rotate_responses drops the partitions …

-- The first partitions: the longest window and a week.
SELECT rotate_responses(604800);
