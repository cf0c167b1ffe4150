-- keys is created anew with other columns; existing keys stay in keys_1

-- keys is created anew with other columns; existing keys stay in keys_1.

-- Existing keys stay in keys_1. This waits for the calls that are under way; others wait for it.
ALTER TABLE keys RENAME TO keys_1;
ALTER TABLE keys_1 RENAME CONSTRAINT keys_pkey TO keys_1_pkey;
ALTER INDEX keys_replay_until_idx RENAME TO keys_1_replay_until_idx;
ALTER SEQUENCE keys_response_id_seq RENAME TO keys_1_response_id_seq;

CREATE TABLE keys (
    tenant_id uuid NOT NULL,
    user_id bigint NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    PRIMARY KEY (tenant_id, user_id, operation, idempotency_key)
);

-- For purging.
CREATE INDEX keys_replay_until_idx ON keys (replay_until);

COMMENT ON TABLE keys IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN keys.response_id IS 'With created_at and replay_until, the key''s response in responses. None in a committed row: a tombstone.';

-- The responses of both are in one table, so their numbers must differ.
SELECT setval(pg_get_serial_sequence('keys', 'response_id'), nextval(pg_get_serial_sequence('keys_1', 'response_id')));
