-- Who reads the log, how far, and which build of the tables readers see.

CREATE TABLE leases (
    name       text PRIMARY KEY,
    owner      text NOT NULL,
    token      bigint NOT NULL,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE leases IS 'Work that one process at a time may do, and who does it.';
COMMENT ON COLUMN leases.token IS 'Fencing token: grows with every new owner, so that work of an old one can be told and refused. Rows are therefore never deleted.';
COMMENT ON COLUMN leases.expires_at IS 'By the clock of the database. Past: anyone may take the lease.';

CREATE TABLE projection_checkpoints (
    projection  text PRIMARY KEY,
    epoch       uuid NOT NULL,
    position    bigint NOT NULL CHECK (position >= 0),
    recorded_at timestamptz,
    token       bigint NOT NULL,
    updated_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE projection_checkpoints IS 'Up to where each projection has applied the log.';
COMMENT ON COLUMN projection_checkpoints.epoch IS 'The log that position belongs to.';
COMMENT ON COLUMN projection_checkpoints.position IS 'Every event up to and including this one is applied. 0: none yet.';
COMMENT ON COLUMN projection_checkpoints.recorded_at IS 'recorded_at of that event.';
COMMENT ON COLUMN projection_checkpoints.token IS 'Fencing token of the owner that may move the checkpoint.';

CREATE TABLE projection_builds (
    name       text PRIMARY KEY,
    state      text NOT NULL DEFAULT 'filling' CHECK (state IN ('filling', 'live', 'kept')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE projection_builds IS 'Complete sets of projection tables; each is a ClickHouse database.';
COMMENT ON COLUMN projection_builds.state IS 'filling: not yet read from; live: what readers see; kept: was live, and is there for a rollback.';
-- At most one build is live.
CREATE UNIQUE INDEX projection_builds_live ON projection_builds (state) WHERE state = 'live';

GRANT SELECT, INSERT, UPDATE ON leases, projection_checkpoints, projection_builds TO bitacora_writer;
GRANT DELETE ON projection_checkpoints, projection_builds TO bitacora_writer;
