CREATE TABLE schema_migrations (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE schema_migrations IS 'Which files of schema/postgres were applied to this database.';
COMMENT ON COLUMN schema_migrations.sha256 IS 'Digest of the file as it was applied: an applied file is never edited, a new one is added.';
