-- The log and what is decided in one transaction with it: keys of sealed data, the
-- month's allowance of conversations. Everything that ClickHouse holds derives from here.

-- The program connects as whatever user its URL names and then takes this role, which
-- may do no more than the program needs. Roles belong to the whole cluster: the role may
-- be there already, and another database's migration may be creating it right now.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bitacora_writer') THEN
        BEGIN
            CREATE ROLE bitacora_writer NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'bitacora_writer', 'SET') THEN
        EXECUTE format('GRANT bitacora_writer TO %I', current_user);
    END IF;
END
$$;

CREATE TABLE log_epoch (
    one              boolean PRIMARY KEY DEFAULT true CHECK (one),
    epoch            uuid NOT NULL DEFAULT gen_random_uuid(),
    master_key_check bytea
);
COMMENT ON TABLE log_epoch IS 'One row: which log this is. Checkpoints carry the epoch, so that a projection notices a restored or foreign log.';
COMMENT ON COLUMN log_epoch.one IS 'Always true: holds the table to one row.';
COMMENT ON COLUMN log_epoch.epoch IS 'Give it a new value after restoring an older state of the log.';
COMMENT ON COLUMN log_epoch.master_key_check IS 'Digest by which a wrong master key is noticed at start. Set by the first program that opens the log.';
INSERT INTO log_epoch DEFAULT VALUES;

CREATE TABLE events (
    -- Readers follow the log by position alone.
    position       bigint PRIMARY KEY,
    -- A repeated append finds its event here.
    event_id       uuid NOT NULL UNIQUE,
    stream         text NOT NULL CHECK (stream <> ''),
    version        integer NOT NULL CHECK (version > 0),
    type           text NOT NULL,
    schema_version smallint NOT NULL,
    occurred_at    timestamptz(3) NOT NULL,
    recorded_at    timestamptz NOT NULL,
    data           text NOT NULL,
    sealed         text,
    metadata       text NOT NULL,
    payload_hash   bytea NOT NULL,
    -- Reads one stream in order; the last guard of optimistic concurrency.
    UNIQUE (stream, version)
);
COMMENT ON TABLE events IS 'The log: every fact, once, in commit order. Append-only by role and by trigger; written by append_events alone.';
COMMENT ON COLUMN events.position IS 'Place in the whole log: 1, 2, 3 … without holes, in commit order. A hole is corruption.';
COMMENT ON COLUMN events.event_id IS 'Given by the writer; the same id is appended once.';
COMMENT ON COLUMN events.stream IS 'What the event is about, for example one conversation; also the subject whose key seals its personal data.';
COMMENT ON COLUMN events.version IS 'Place in the stream: 1, 2, 3 … without holes.';
COMMENT ON COLUMN events.type IS 'Event type; schema/events describes each.';
COMMENT ON COLUMN events.schema_version IS 'Version of the type''s JSON Schema that data was written in.';
COMMENT ON COLUMN events.occurred_at IS 'When the fact happened, to the millisecond. For imported history long before recorded_at.';
COMMENT ON COLUMN events.recorded_at IS 'When the log took the event, by the clock of the database.';
COMMENT ON COLUMN events.data IS 'Clear part of the payload, JSON. Kept as text: reading it back is twice as fast as from jsonb.';
COMMENT ON COLUMN events.sealed IS 'Personal fields, JSON object of base64: nonce and AES-256-GCM ciphertext, bound to event, field and stream. Null where there are none.';
COMMENT ON COLUMN events.metadata IS 'How the event came about, JSON object of strings. Decides nothing.';
COMMENT ON COLUMN events.payload_hash IS 'SHA-256 over the stored event, by which bitacora log check notices a changed row.';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % refused: the log is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION refuse_change() IS 'Holds owners and superusers to the rule that the writer''s role already keeps.';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE subject_keys (
    subject      text PRIMARY KEY,
    wrapped_key  bytea,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    destroyed_at timestamptz,
    CHECK ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL))
);
COMMENT ON TABLE subject_keys IS 'The key that seals one subject''s personal data. Destroying the key erases the person from the log.';
COMMENT ON COLUMN subject_keys.subject IS 'The stream whose events the key seals.';
COMMENT ON COLUMN subject_keys.wrapped_key IS 'The key, sealed by the master key from outside the database. Null once destroyed.';
COMMENT ON COLUMN subject_keys.destroyed_at IS 'When the subject was erased; nothing personal can be appended to the stream afterwards.';

CREATE TABLE monthly_quota (
    month   text PRIMARY KEY CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    started integer NOT NULL CHECK (started > 0)
);
COMMENT ON TABLE monthly_quota IS 'How many conversations were started in a month; counted in the transaction that appends their first event.';
COMMENT ON COLUMN monthly_quota.month IS 'Calendar month of the business zone, YYYY-MM.';

GRANT SELECT ON schema_migrations, log_epoch TO bitacora_writer;
GRANT UPDATE (master_key_check) ON log_epoch TO bitacora_writer;
GRANT SELECT, INSERT ON events TO bitacora_writer;
GRANT SELECT, INSERT, UPDATE (wrapped_key, destroyed_at) ON subject_keys TO bitacora_writer;
GRANT SELECT, INSERT, UPDATE (started) ON monthly_quota TO bitacora_writer;
