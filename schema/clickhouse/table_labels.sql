-- One row a visitor's message that the staff labelled. The latest word counts: the row of the later
-- position. What was said stands in messages only, so that an erasure has nothing to do here.
CREATE TABLE IF NOT EXISTS {database}.labels
(
    conversation_id         String COMMENT 'Conversation the message belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins labels to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place of the labelled message in the conversation, as in messages',
    kind                    LowCardinality(String) COMMENT 'intent: it has the intent of label; answer: the clinic''s answer of label answers it; off-topic; skipped: nothing is to be learned from it',
    label                   LowCardinality(String) COMMENT 'Name of the intent or slug of the answer; empty for other kinds',
    labelled_at             DateTime64(3, '{zone}') COMMENT 'When the staff said so last',
    position                UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
-- By the conversation's start, as messages.
PARTITION BY toYYYYMM(conversation_started_at)
-- The labels of a period's conversations are one range of the key.
ORDER BY (conversation_started_at, conversation_id, ordinal)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a labelled message. Read it with FINAL: unmerged, a changed label stands twice'
