-- What the driver has in the service's database. Account 0 is its own.

-- The keys of both operations, each with its response, NULL where it has none.
CREATE VIEW records AS
SELECT account_id, operation, idempotency_key, status, headers, body
FROM account_idempotency_keys
WHERE account_id <> 0
UNION ALL
SELECT k.account_id, k.operation, k.idempotency_key, r.status, r.headers, r.body
FROM ledger_idempotency_keys AS k
LEFT JOIN ledger_idempotency_responses AS r USING (replay_until, response_id)
WHERE k.account_id <> 0;

-- age leaves what is over for the sweepers: a record and a tombstone in the one table, a key,
-- a partition and a response in the default partition of the other. It does nothing, and
-- returns false, while the partition is still there, or the table is locked.
CREATE FUNCTION age() RETURNS boolean
LANGUAGE plpgsql
SET lock_timeout = '10ms'
AS $$
BEGIN
    IF to_regclass('ledger_idempotency_responses_20200101') IS NOT NULL THEN
        RETURN false;
    END IF;
    CREATE TABLE ledger_idempotency_responses_20200101 PARTITION OF ledger_idempotency_responses
    FOR VALUES FROM ('2020-01-01 00:00Z') TO ('2020-01-02 00:00Z');

    WITH keys AS (
        INSERT INTO ledger_idempotency_keys (account_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)
        SELECT 0, 'createTransfer', gen_random_uuid(), '', 1, now(), over::timestamptz
        FROM unnest(ARRAY['2020-01-01 12:00Z', '2019-01-01 12:00Z']) AS over
        RETURNING response_id, created_at, replay_until
    )
    INSERT INTO ledger_idempotency_responses (response_id, created_at, replay_until, status, headers, body)
    SELECT response_id, created_at, replay_until, 201, '', '' FROM keys;

    INSERT INTO account_idempotency_keys (account_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until, status)
    VALUES
    (0, 'createPayment', gen_random_uuid(), '', 1, now(), now() - interval '1 minute', 201),
    (0, 'createPayment', gen_random_uuid(), '', 1, now(), '2020-01-01 12:00Z', NULL);
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END
$$;

-- turn takes all days away from the sweepers, so that they make them again while the first
-- responses of a round are recorded. What is recorded already is kept, for later than they look.
CREATE FUNCTION turn() RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    day regclass;
BEGIN
    LOCK TABLE ledger_idempotency_responses IN ACCESS EXCLUSIVE MODE;
    IF to_regclass('ledger_idempotency_responses_kept') IS NULL THEN
        CREATE TABLE ledger_idempotency_responses_kept PARTITION OF ledger_idempotency_responses
        FOR VALUES FROM ('2100-01-01 00:00Z') TO ('2100-01-02 00:00Z');
    END IF;
    UPDATE ledger_idempotency_responses SET replay_until = '2100-01-01 12:00Z' WHERE replay_until BETWEEN now() AND '2100-01-01';
    UPDATE ledger_idempotency_keys SET replay_until = '2100-01-01 12:00Z' WHERE replay_until BETWEEN now() AND '2100-01-01';
    FOR day IN
        SELECT inhrelid FROM pg_inherits
        WHERE inhparent = 'ledger_idempotency_responses'::regclass AND inhrelid::regclass::text ~ '_[0-9]{8}$'
    LOOP
        EXECUTE format('DROP TABLE %s', day);
    END LOOP;
END
$$;

-- How much the sweepers have yet to empty, drop, purge and make. A day may be missing of which
-- the default partition has responses.
CREATE VIEW unswept AS
SELECT
    (SELECT count(*) FROM account_idempotency_keys WHERE replay_until <= now() AND status IS NOT NULL) AS records,
    (SELECT count(*) FROM pg_class WHERE relname = 'ledger_idempotency_responses_20200101') AS partitions,
    (SELECT count(*) FROM account_idempotency_keys WHERE replay_until <= now() - interval '72 hours')
    + (SELECT count(*) FROM ledger_idempotency_keys WHERE replay_until <= now() - interval '72 hours') AS keys,
    (
        SELECT count(*) FROM generate_series(now(), now() + interval '10 days', interval '1 day') AS day
        WHERE to_regclass('ledger_idempotency_responses' || to_char(day AT TIME ZONE 'UTC', '_YYYYMMDD')) IS NULL
        AND NOT EXISTS (
            SELECT FROM ledger_idempotency_responses_default AS r
            WHERE date_trunc('day', r.replay_until, 'UTC') = date_trunc('day', day, 'UTC')
        )
    ) AS days;
