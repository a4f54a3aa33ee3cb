-- One row a session that found the month full. A row that is told again replaces itself.
CREATE TABLE IF NOT EXISTS {database}.chat_refusals
(
    refused_at    DateTime64(3, '{zone}') COMMENT 'When the conversation was refused',
    month         String COMMENT 'Month whose limit was reached, as 2026-11',
    monthly_limit UInt32 COMMENT 'Conversations that the month allowed then',
    channel       LowCardinality(String) COMMENT 'Where the session came from, where its event says so; empty for the site''s own',
    position      UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
PARTITION BY toYYYYMM(refused_at)
-- Refusals are asked for by when they came; month and position make the key unique.
ORDER BY (refused_at, month, position)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a session that found the month full. Read it with FINAL: unmerged, a repeated row stands twice'
