-- app."K": its responses go to answers."R"

-- app."K": its responses go to answers."R".

-- Waits for the calls that are under way; others wait for it.
LOCK TABLE app."K" IN ACCESS EXCLUSIVE MODE;

-- What may still be replayed. The rest becomes tombstones, as if it had been swept.
CREATE TEMPORARY TABLE live_records AS
SELECT * FROM app."K"
WHERE status IS NOT NULL AND replay_until > now();

-- In one statement, so that the table is written once, without the responses.
ALTER TABLE app."K"
    DROP COLUMN status,
    DROP COLUMN headers,
    DROP COLUMN body,
    ADD COLUMN response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    RESET (fillfactor);

COMMENT ON TABLE app."K" IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN app."K".replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN app."K".response_id IS 'With created_at and replay_until, the key''s response in answers."R". None in a committed row: a tombstone.';

CREATE SCHEMA IF NOT EXISTS answers;

CREATE TABLE answers."R" (
    response_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint NOT NULL,
    headers bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (replay_until, response_id)
) PARTITION BY RANGE (replay_until);

COMMENT ON TABLE answers."R" IS 'Recorded responses of scope account. One partition for each day (UTC) on which windows end.';
COMMENT ON COLUMN answers."R".status IS 'HTTP status of the recorded response.';

-- answers."rotate_R" drops the partitions …

-- The first partitions: the longest window and a week.
SELECT answers."rotate_R"(604800);

INSERT INTO answers."R" (response_id, created_at, replay_until, status, headers, body)
SELECT response_id, created_at, replay_until, status, headers, body
FROM live_records NATURAL JOIN app."K";

DROP TABLE live_records;
