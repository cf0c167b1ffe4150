-- llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll is created anew with other columns; existing keys stay in llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1

-- llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll is created anew with other columns; existing keys stay in llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1.

-- Existing keys stay in llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1. This waits for the calls that are under way; others wait for it.
ALTER TABLE llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll RENAME TO llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1;
ALTER TABLE llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1 RENAME CONSTRAINT llllllllllllllllllllllllllllllllllllllllllllllllllllllllll_pkey TO lllllllllllllllllllllllllllllllllllllllllllllllllllllllll_pkey1;
ALTER TABLE llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll_1 RENAME CONSTRAINT llllllllllllllllllllllllllllllllllllllllllllllllll_region_check TO lllllllllllllllllllllllllllllllllllllllllllllllll_region_check1;
ALTER INDEX lllllllllllllllllllllllllllllllllllll_17e9467a_replay_until_idx RENAME TO lllllllllllllllllllllllllllllllllllll_27781056_replay_until_idx;

CREATE TABLE llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll (
    region text COLLATE "C" NOT NULL CHECK (char_length(region) <= 8),
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
    PRIMARY KEY (region, user_id, operation, idempotency_key)
) WITH (fillfactor = 75);

-- Unconditional, so that recording and emptying a response stay heap-only (HOT) updates.
CREATE INDEX lllllllllllllllllllllllllllllllllllll_17e9467a_replay_until_idx ON llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll (replay_until);

COMMENT ON TABLE llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll IS 'Idempotency keys of scope account. One row for each key that was ever used.';
COMMENT ON COLUMN llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN llllllllllllllllllllllllllllllllllllllllllllllllllllllllllll.status IS 'HTTP status of the recorded response. NULL in a committed row: a tombstone.';
