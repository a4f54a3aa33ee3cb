-- Up to where this build holds the log, in its own words: runs of positions whose rows are all
-- stored, also those of events that make no row. Postgres knows the same; where it knows of
-- more, this ClickHouse was put back. A run is noted after its rows, any number of times, in
-- any order; while the log is followed the first run grows.
CREATE TABLE IF NOT EXISTS {database}.applied
(
    first UInt64 COMMENT 'First position of the run',
    last  SimpleAggregateFunction(max, UInt64) COMMENT 'Last position of the run',
    last_event SimpleAggregateFunction(max, Tuple(UInt64, UUID)) COMMENT 'That position and the id of the event there: a log that holds another one went back in time',
    retried SimpleAggregateFunction(max, UInt64) COMMENT 'Number of the latest retry of parked conversations whose rows are stored',
    noted_at SimpleAggregateFunction(max, DateTime64(3, '{zone}')) DEFAULT now64(3) COMMENT 'When the run was noted last'
)
ENGINE = AggregatingMergeTree
ORDER BY first
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Up to where this build holds the log'
