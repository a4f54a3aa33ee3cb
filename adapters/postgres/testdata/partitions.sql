-- The plan of schema/GROWTH.md: events in partitions by position, and uniqueness in tables of its own.
-- Every id that was ever appended, also of events that lie in the archive.
CREATE TABLE event_ids (
    event_id uuid PRIMARY KEY,
    position bigint NOT NULL
) PARTITION BY HASH (event_id);
-- How far each stream has come, and between which positions its events lie.
CREATE TABLE streams (
    stream  text PRIMARY KEY,
    version integer NOT NULL,
    first   bigint NOT NULL,
    last    bigint NOT NULL
) PARTITION BY HASH (stream);
DO $$
BEGIN
    FOR i IN 0 .. 15 LOOP
        EXECUTE format('CREATE TABLE event_ids_%s PARTITION OF event_ids FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
        EXECUTE format('CREATE TABLE streams_%s PARTITION OF streams FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    END LOOP;
END
$$;
INSERT INTO event_ids SELECT event_id, position FROM events;
INSERT INTO streams SELECT stream, max(version), min(position), max(position) FROM events GROUP BY stream;

-- The table of today becomes the first partition as it is; the constraint spares ATTACH the look at its rows.
ALTER TABLE events RENAME TO events_1;
ALTER TABLE events_1 ADD CONSTRAINT segment CHECK (position >= 1 AND position < 100000001);
CREATE TABLE events (LIKE events_1 INCLUDING COMMENTS, PRIMARY KEY (position)) PARTITION BY RANGE (position);
ALTER TABLE events ATTACH PARTITION events_1 FOR VALUES FROM (1) TO (100000001);
CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (100000001) TO (200000001);
CREATE UNIQUE INDEX ON events_2 (stream, version);
GRANT SELECT, INSERT ON events TO bitacora_writer;
GRANT SELECT, INSERT ON event_ids TO bitacora_writer;
GRANT SELECT, INSERT, UPDATE ON streams TO bitacora_writer;
-- A statement's triggers are those of the table that it names.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events_2 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
