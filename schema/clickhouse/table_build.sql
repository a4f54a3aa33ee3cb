-- One row: which log this build was made from, and by which version of the projections. A
-- program that finds another mark, or none where there should be one, leaves the tables alone.
CREATE TABLE IF NOT EXISTS {database}.build
(
    epoch      UUID COMMENT 'Epoch of the log, as in log_epoch of Postgres',
    version    UInt32 COMMENT 'Version of the projections that write here',
    marked_at  DateTime64(3, '{zone}') DEFAULT now64(3) COMMENT 'When the mark was set; the latest one counts'
)
ENGINE = ReplacingMergeTree(marked_at)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Which log this build belongs to'
