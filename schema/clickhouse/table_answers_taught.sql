-- One row a publication of an answer, and one a withdrawal. A row that is told again replaces itself.
CREATE TABLE IF NOT EXISTS {database}.answers_taught
(
    changed_at DateTime64(3, '{zone}') COMMENT 'When the version was published or taken back',
    change     String COMMENT 'Identifier of the change: the answer''s slug, with the version and undone where the log separates them',
    version    UInt32 COMMENT 'Version of the answer, from 1',
    undone     Bool COMMENT 'The version was taken back; published otherwise',
    position   UInt64 COMMENT 'Position of the event in the log',

    slug       String ALIAS splitByChar('/', change)[1] COMMENT 'Slug of the answer'
)
ENGINE = ReplacingMergeTree(position)
PARTITION BY toYYYYMM(changed_at)
-- Changes are asked for by when they came; change and position make the key unique.
ORDER BY (changed_at, change, position)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a publication or withdrawal of an answer. Read it with FINAL: unmerged, a repeated row stands twice'
