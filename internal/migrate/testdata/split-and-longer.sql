-- keys: region holds up to 9 characters, not 8
-- keys: its responses go to responses
-- more: its responses go to more_responses

-- keys: region holds up to 9 characters, not 8.

-- This reads the whole table and locks out everybody meanwhile. It fails if a value is longer.
ALTER TABLE keys
    DROP CONSTRAINT keys_region_check,
    ADD CONSTRAINT keys_region_check CHECK (char_length(region) <= 9);

-- keys: its responses go to responses.

-- Waits for the calls that are under way; others wait for it.
LOCK TABLE keys IN ACCESS EXCLUSIVE MODE;

-- What may still be replayed. The rest becomes tombstones, as if it had been swept.
CREATE TEMPORARY TABLE live_records AS
SELECT * FROM keys
WHERE status IS NOT NULL AND replay_until > now();

-- In one statement, so that the table is written once, without the responses.
ALTER TABLE keys
    DROP COLUMN status,
    DROP COLUMN headers,
    DROP COLUMN body,
    ADD COLUMN response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    RESET (fillfactor);

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

INSERT INTO responses (response_id, created_at, replay_until, status, headers, body)
SELECT response_id, created_at, replay_until, status, headers, body
FROM live_records NATURAL JOIN keys;

DROP TABLE live_records;

-- more: its responses go to more_responses.

-- Waits for the calls that are under way; others wait for it.
LOCK TABLE more IN ACCESS EXCLUSIVE MODE;

-- What may still be replayed. The rest becomes tombstones, as if it had been swept.
CREATE TEMPORARY TABLE live_records AS
SELECT * FROM more
WHERE status IS NOT NULL AND replay_until > now();

-- In one statement, so that the table is written once, without the responses.
ALTER TABLE more
    DROP COLUMN status,
    DROP COLUMN headers,
    DROP COLUMN body,
    ADD COLUMN response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    RESET (fillfactor);

COMMENT ON TABLE more IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN more.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN more.response_id IS 'With created_at and replay_until, the key''s response in more_responses. None in a committed row: a tombstone.';

CREATE TABLE more_responses (
    response_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint NOT NULL,
    headers bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (replay_until, response_id)
) PARTITION BY RANGE (replay_until);

COMMENT ON TABLE more_responses IS 'Recorded responses of scope account. One partition for each day (UTC) on which windows end.';
COMMENT ON COLUMN more_responses.status IS 'HTTP status of the recorded response.';

-- rotate_more_responses drops the partitions …

-- The first partitions: the longest window and a week.
SELECT rotate_more_responses(604800);

INSERT INTO more_responses (response_id, created_at, replay_until, status, headers, body)
SELECT response_id, created_at, replay_until, status, headers, body
FROM live_records NATURAL JOIN more;

DROP TABLE live_records;
