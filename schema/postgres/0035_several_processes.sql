-- What several processes know of each other: how often somebody may do something, which sessions
-- ended, and beside which schema an earlier program goes on.

CREATE UNLOGGED TABLE throttles (
    key     bytea PRIMARY KEY CHECK (length(key) = 32),
    full_at timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE throttles IS 'Token buckets that are not full. Unlogged: after a crash of the server all are full.';
COMMENT ON COLUMN throttles.key IS 'HMAC-SHA-256 of what is bounded and for whom, under a key made from the newest epoch key; the address itself is not stored.';
COMMENT ON COLUMN throttles.full_at IS 'When the bucket is full again if nothing more is taken; past: the row is removed.';
GRANT SELECT, INSERT, UPDATE, DELETE ON throttles TO bitacora_writer;

CREATE FUNCTION announce_ended_session() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('bitacora_sessions', '');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION announce_ended_session IS 'Tells all processes that a session was ended, whatever ended it.';
CREATE TRIGGER announced AFTER DELETE ON staff_sessions FOR EACH ROW EXECUTE FUNCTION announce_ended_session();

ALTER TABLE schema_migrations ADD COLUMN goes_with text;
COMMENT ON COLUMN schema_migrations.goes_with IS 'The migration from which on programs go on beside this one without knowing it; null: none does.';
