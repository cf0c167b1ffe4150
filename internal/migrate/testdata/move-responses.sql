-- keys: its responses go to answers, not to responses
-- responses is not used any more, and is not dropped

-- keys: its responses go to answers, not to responses.

-- Waits for the calls that are under way; others wait for it.
LOCK TABLE keys IN ACCESS EXCLUSIVE MODE;

CREATE TABLE answers (
    response_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint NOT NULL,
    headers bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (replay_until, response_id)
) PARTITION BY RANGE (replay_until);

COMMENT ON TABLE answers IS 'Recorded responses of scope account. One partition for each day (UTC) on which windows end.';
COMMENT ON COLUMN answers.status IS 'HTTP status of the recorded response.';

-- rotate_answers drops the partitions …

-- The first partitions: the longest window and a week.
SELECT rotate_answers(604800);

-- What may still be replayed.
INSERT INTO answers (response_id, created_at, replay_until, status, headers, body)
SELECT response_id, created_at, replay_until, status, headers, body
FROM responses
WHERE replay_until > now();

COMMENT ON TABLE keys IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN keys.response_id IS 'With created_at and replay_until, the key''s response in answers. None in a committed row: a tombstone.';

-- responses is not used any more. It is not dropped here: instances of an older release may still be using it.
-- When no instance uses it and none of its keys can be sent again, drop it:
--     DROP FUNCTION rotate_responses(bigint);
--     DROP TABLE responses;
