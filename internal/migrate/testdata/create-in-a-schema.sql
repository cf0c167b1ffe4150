-- "Billing".keys is created

-- "Billing".keys is created.

CREATE SCHEMA IF NOT EXISTS "Billing";

CREATE TABLE "Billing".keys (
    "order" integer NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    fingerprint_version smallint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    response_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    PRIMARY KEY ("order", operation, idempotency_key)
);

-- For purging.
CREATE INDEX keys_replay_until_idx ON "Billing".keys (replay_until);

COMMENT ON TABLE "Billing".keys IS 'Idempotency keys of scope account. One row for each key that was ever used, never updated.';
COMMENT ON COLUMN "Billing".keys.replay_until IS 'The response is replayed until then, rounded up to the minute. The key stays closed afterwards.';
COMMENT ON COLUMN "Billing".keys.response_id IS 'With created_at and replay_until, the key''s response in "Billing"."Keys'' answers". None in a committed row: a tombstone.';

CREATE TABLE "Billing"."Keys' answers" (
    response_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    replay_until timestamptz NOT NULL,
    status smallint NOT NULL,
    headers bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (replay_until, response_id)
) PARTITION BY RANGE (replay_until);

COMMENT ON TABLE "Billing"."Keys' answers" IS 'Recorded responses of scope account. One partition for each day (UTC) on which windows end.';
COMMENT ON COLUMN "Billing"."Keys' answers".status IS 'HTTP status of the recorded response.';

-- "Billing"."rotate_Keys' answers" drops the partitions whose days are over, and makes those that
-- are missing from today until ahead_seconds from now. It returns how many it dropped.
--
-- Who: the owner of the table, or a role that has the owner's privileges, allowed to create
-- tables in its schema; the partitions become the owner's. Any number of callers, in READ
-- COMMITTED, about once a minute: the sweeper of package idem, or pg_cron. While one is at
-- work the others return 0 at once.
--
-- Locks, until the end of the transaction, so let it be one of its own: ACCESS EXCLUSIVE on
-- the table to drop or make partitions, when nobody can replay or record. That is milliseconds,
-- twice a day, and more while the default partition has rows, which are read to make a day. It
-- waits for a lock no longer than lock_timeout, and others queue behind it for as long. Where a
-- transaction that has read responses stays open it gives up, and the next call tries again.
-- Keep lock_timeout below deadlock_timeout.
CREATE OR REPLACE FUNCTION "Billing"."rotate_Keys' answers"(ahead_seconds bigint) RETURNS bigint
LANGUAGE plpgsql
SECURITY INVOKER
SET lock_timeout = '100ms'
SET timezone = 'UTC'
AS $rotate$
DECLARE
    responses CONSTANT regclass := '"Billing"."Keys'' answers"';
    parent record;
    part record;
    spare regclass; -- the default partition
    latest timestamptz; -- of what is in it
    occupied boolean;
    dropped bigint := 0;
BEGIN
    SELECT n.nspname AS schema, c.relname AS name, c.relowner AS owner
    INTO STRICT parent
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.oid = responses;
    IF NOT pg_has_role(parent.owner, 'USAGE') OR NOT has_schema_privilege(parent.schema, 'CREATE') THEN
        RAISE insufficient_privilege
        USING MESSAGE = format('must be owner of table %s and able to create tables in schema %I', responses, parent.schema);
    END IF;
    IF NOT pg_try_advisory_xact_lock(hashtextextended('idemgen rotates ' || responses::oid, 0)) THEN
        RETURN 0;
    END IF;

    -- 1. Drop what is over. A day's partition is over when the day is, whatever the windows:
    -- nothing in it is replayed. Then the locks go; there is a week to make new ones.
    FOR part IN
        SELECT i.inhrelid::regclass AS name, c.relpartbound AS bounds
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = responses
        AND left(c.relname, -9) = parent.name
        AND right(c.relname, 9) ~ '^_[0-9]{8}$'
        AND right(c.relname, 8) < to_char(now(), 'YYYYMMDD')
    LOOP
        BEGIN
            CONTINUE WHEN substring(pg_get_expr(part.bounds, part.name) FROM 'TO [(]''(.*)''[)]')::timestamptz > now();
            EXECUTE format('DROP TABLE %s', part.name);
            dropped := dropped + 1;
        EXCEPTION
            WHEN lock_not_available THEN
                RAISE WARNING '% is over, but somebody is reading responses: the next call tries again', part.name;
                RETURN dropped;
            WHEN dependent_objects_still_exist THEN
                RAISE WARNING '% is over, but something depends on it: drop that first', part.name;
        END;
    END LOOP;
    IF dropped > 0 THEN
        RETURN dropped;
    END IF;

    -- 2. Empty the default partition, which has what was recorded while a day had none: at once when
    -- all of it is over, else row by row. Whoever looks again with an old snapshot sees nothing new,
    -- hence READ COMMITTED.
    SELECT partdefid INTO spare FROM pg_partitioned_table WHERE partrelid = responses AND partdefid <> 0;
    IF spare IS NOT NULL THEN
        BEGIN
            EXECUTE format('SELECT max(replay_until) FROM ONLY %s', spare) INTO latest;
            IF latest <= now() AND current_setting('transaction_isolation') = 'read committed' THEN
                EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', spare);
                EXECUTE format('SELECT max(replay_until) FROM ONLY %s', spare) INTO latest;
                IF latest <= now() THEN
                    EXECUTE format('TRUNCATE ONLY %s', spare);
                    latest := NULL;
                END IF;
            ELSIF latest IS NOT NULL THEN
                EXECUTE format('DELETE FROM ONLY %1$s WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM ONLY %1$s WHERE replay_until <= now() ORDER BY replay_until LIMIT 10000))', spare);
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            RETURN 0;
        END;
    END IF;

    -- 3. Make what is missing: the default partition, so that no request fails for want of one, and
    -- days; one day a call while the default partition has rows. To attach a day later would not lock
    -- the table, and a reader that had planned before would miss what is in it.
    FOR part IN
        SELECT parent.name || '_default' AS name, 'DEFAULT' AS bounds, NULL::timestamptz AS day
        WHERE spare IS NULL
        UNION ALL
        SELECT parent.name || to_char(day, '_YYYYMMDD'), format('FOR VALUES FROM (%L) TO (%L)', day, day + interval '1 day'), day
        FROM generate_series(date_trunc('day', now()), now() + ahead_seconds * interval '1 second', interval '1 day') AS day
    LOOP
        CONTINUE WHEN part.day IS NOT NULL AND to_regclass(format('%I.%I', parent.schema, part.name)) IS NOT NULL;
        BEGIN
            IF latest IS NOT NULL THEN
                EXECUTE format('SELECT EXISTS (SELECT FROM ONLY %s WHERE replay_until >= $1 AND replay_until < $1 + interval ''1 day'')', spare)
                INTO occupied
                USING part.day;
                CONTINUE WHEN occupied; -- responses of that day stay there
            END IF;
            EXECUTE format('CREATE TABLE %I.%I PARTITION OF %s %s', parent.schema, part.name, responses, part.bounds);
            EXECUTE format('ALTER TABLE %I.%I OWNER TO %s', parent.schema, part.name, parent.owner::regrole);
            EXIT WHEN latest IS NOT NULL;
        EXCEPTION
            WHEN check_violation THEN
                NULL; -- occupied since
            WHEN lock_not_available THEN
                EXIT;
        END;
    END LOOP;
    RETURN 0;
END
$rotate$;

-- The first partitions: the longest window and a week.
SELECT "Billing"."rotate_Keys' answers"(604800);
