-- One row a rated reply. The latest word of the visitor counts: the row of the later position.
CREATE TABLE IF NOT EXISTS {database}.ratings
(
    conversation_id         String COMMENT 'Conversation the reply belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins ratings to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place of the rated reply in the conversation, as in messages',
    topic                   LowCardinality(String) COMMENT 'Topic of the reply; empty if unknown',
    rating                  LowCardinality(String) COMMENT 'positive, negative, or none where it was taken back',
    reason                  LowCardinality(String) COMMENT 'What a negative rating finds wrong with the reply: unrelated, incomplete, incorrect; empty where the visitor named nothing',
    rated_at                DateTime64(3, '{zone}') COMMENT 'When the visitor said so last',
    position                UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
-- By the conversation's start, as messages: all words on a reply lie in one partition.
PARTITION BY toYYYYMM(conversation_started_at)
-- The ratings of a period's conversations are one range of the key.
ORDER BY (conversation_started_at, conversation_id, ordinal)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a rated reply. Read it with FINAL: unmerged, a changed rating stands twice'
