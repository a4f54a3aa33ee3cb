-- What rebuilding needs to know: how far a build has come, where its followers rest while it
-- is looked at, which conversations wait, and in which cluster the log lives.

ALTER TABLE projection_builds DROP CONSTRAINT projection_builds_state_check;
UPDATE projection_builds SET state = 'following' WHERE state = 'filling';
ALTER TABLE projection_builds
    ALTER state SET DEFAULT 'replaying',
    ADD CHECK (state IN ('replaying', 'following', 'verified', 'live', 'kept', 'dropped')),
    ADD version integer NOT NULL DEFAULT 1,
    ADD epoch   uuid,
    ADD target  bigint NOT NULL DEFAULT 0 CHECK (target >= 0);
UPDATE projection_builds SET epoch = (SELECT epoch FROM log_epoch);
ALTER TABLE projection_builds ALTER epoch SET NOT NULL;
COMMENT ON COLUMN projection_builds.state IS 'replaying: ranges of the log are read into it; following: it follows the log and is not read from; verified: it was compared; live: what readers see; kept: was live, follows on and is there for a rollback; dropped: its tables are gone, its name is used up.';
COMMENT ON COLUMN projection_builds.version IS 'Version of the projections that write into it. A program of another version leaves it alone.';
COMMENT ON COLUMN projection_builds.epoch IS 'The log it was begun from.';
COMMENT ON COLUMN projection_builds.target IS 'Last position of its ranges; what comes after is followed.';

CREATE TABLE build_ranges (
    build       text NOT NULL REFERENCES projection_builds,
    first       bigint NOT NULL CHECK (first > 0),
    last        bigint NOT NULL,
    replayed_at timestamptz,
    PRIMARY KEY (build, first),
    CHECK (last >= first)
);
COMMENT ON TABLE build_ranges IS 'The positions that a replaying build is made of. A rebuild that was interrupted goes on with those not replayed.';
COMMENT ON COLUMN build_ranges.replayed_at IS 'When all rows of the range were stored.';

ALTER TABLE projection_checkpoints
    ADD announced  bigint NOT NULL DEFAULT 0,
    ADD hold_at    bigint,
    ADD hold_until timestamptz,
    ADD trouble    text,
    ADD trouble_at timestamptz,
    ADD CHECK ((hold_at IS NULL) = (hold_until IS NULL));
UPDATE projection_checkpoints SET announced = position;
COMMENT ON COLUMN projection_checkpoints.announced IS 'Written before the rows are: no row in the tables is of a later event. Tables that hold more belong to a later state of the log.';
COMMENT ON COLUMN projection_checkpoints.hold_at IS 'Position beyond which nothing is applied for now, so that builds can be compared at rest.';
COMMENT ON COLUMN projection_checkpoints.hold_until IS 'When the hold ends by itself, should its holder vanish.';
COMMENT ON COLUMN projection_checkpoints.trouble IS 'Why the latest attempt failed; null once an attempt works.';

CREATE TABLE parked_conversations (
    projection text NOT NULL,
    stream     text NOT NULL,
    position   bigint NOT NULL,
    reason     text NOT NULL,
    parked_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    drain_to   bigint,
    PRIMARY KEY (projection, stream)
);
COMMENT ON TABLE parked_conversations IS 'Streams with an event that a build cannot take: that event and all later ones of the stream wait in the log.';
COMMENT ON COLUMN parked_conversations.position IS 'The event that could not be applied.';
COMMENT ON COLUMN parked_conversations.drain_to IS 'Set while a retry applies what waited, up to this position; later events are applied by the follower again.';

ALTER TABLE log_epoch
    ADD cluster      bigint,
    ADD adopted_from uuid;
UPDATE log_epoch SET cluster = (SELECT system_identifier FROM pg_control_system());
COMMENT ON COLUMN log_epoch.cluster IS 'The cluster (pg_control_system) in which this log was last known to live: elsewhere it is a restored or copied one, and has to be adopted.';
COMMENT ON COLUMN log_epoch.adopted_from IS 'The epoch before this one, whose sound builds were taken over.';

GRANT SELECT, INSERT, UPDATE, DELETE ON build_ranges, parked_conversations TO bitacora_writer;
