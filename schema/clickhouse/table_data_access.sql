-- One row a time that data of people were read or taken away. A row that is told again replaces itself.
CREATE TABLE IF NOT EXISTS {database}.data_access
(
    accessed_at DateTime64(3, '{zone}') COMMENT 'When it was recorded: before the data were handed over',
    action      LowCardinality(String) COMMENT 'read, searched: conversations or contacts that contain words, exported: taken away as a file',
    kind        LowCardinality(String) COMMENT 'Which data: transcript, contacts, questions, replayed, person, waiting, conversations, messages, labels, views, log; in earlier logs unanswered, displeasing',
    subject     String COMMENT 'Whose stream has the event: an account, or the person whose data were exported; the analysts'' view has no such column',
    channel     LowCardinality(String) COMMENT 'Where it happened, where its event says so; empty for the program''s own',
    position    UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
PARTITION BY toYYYYMM(accessed_at)
-- Accesses are asked for by when they were; subject and position make the key unique.
ORDER BY (accessed_at, subject, position)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a time that data of people were read or taken away. Read it with FINAL: unmerged, a repeated row stands twice'
