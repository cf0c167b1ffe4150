-- keys: it takes back the responses from responses
-- responses is not used any more, and is not dropped

-- keys: it takes back the responses from responses.

-- Waits for the calls that are under way; others wait for it.
LOCK TABLE keys IN ACCESS EXCLUSIVE MODE;

ALTER TABLE keys
    ADD COLUMN status smallint,
    ADD COLUMN headers bytea,
    ADD COLUMN body bytea,
    SET (fillfactor = 75);

-- What may still be replayed. The rest becomes tombstones, as if it had been swept.
UPDATE keys AS k
SET status = r.status, headers = r.headers, body = r.body
FROM responses AS r
WHERE r.replay_until > now()
AND r.replay_until = k.replay_until
AND r.created_at = k.created_at
AND r.response_id = k.response_id;

ALTER TABLE keys DROP COLUMN response_id;

COMMENT ON TABLE keys IS 'Idempotency keys of scope account. One row for each key that was ever used.';
COMMENT ON COLUMN keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN keys.status IS 'HTTP status of the recorded response. NULL in a committed row: a tombstone.';

-- responses is not used any more. It is not dropped here: instances of an older release may still be using it.
-- When no instance uses it and none of its keys can be sent again, drop it:
--     DROP FUNCTION rotate_responses(bigint);
--     DROP TABLE responses;
