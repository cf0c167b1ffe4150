-- app."K" is created anew with other columns; existing keys stay in "Old"."K"

-- app."K" is created anew with other columns; existing keys stay in "Old"."K".

CREATE SCHEMA IF NOT EXISTS "Old";

-- Existing keys stay in "Old"."K". This waits for the calls that are under way; others wait for it.
ALTER TABLE app."K" SET SCHEMA "Old";

CREATE TABLE app."K" (
    region text COLLATE "C" NOT NULL CHECK (char_length(region) <= 8),
    user_id bigint NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    PRIMARY KEY (region, user_id, operation, idempotency_key)
);

-- For purging.
CREATE INDEX "K_replay_until_idx" ON app."K" (replay_until);

COMMENT ON TABLE app."K" IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN app."K".replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN app."K".response_id IS 'With created_at and replay_until, the key''s response in app.responses. None in a committed row: a tombstone.';

-- The responses of both are in one table, so their numbers must differ.
SELECT setval(pg_get_serial_sequence('app."K"', 'response_id'), nextval(pg_get_serial_sequence('"Old"."K"', 'response_id')));
