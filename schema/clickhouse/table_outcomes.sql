-- One row a booking with an outcome. The last outcome counts: the row of the later position.
CREATE TABLE IF NOT EXISTS {database}.outcomes
(
    conversation_id         String COMMENT 'Conversation that the booking belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins outcomes to the cohort of a period',
    booking_id              String COMMENT 'Identifier of the booking',
    booked_at               DateTime64(3, '{zone}') COMMENT 'When the booking was confirmed first; until slot is its lead time',
    slot                    DateTime64(3, '{zone}') COMMENT 'When the appointment begins',
    booked_by               LowCardinality(String) COMMENT 'Who confirmed the booking: chat, form, staff',
    specialty               LowCardinality(String) COMMENT 'Slug of the service that was booked; empty if unknown',
    outcome                 LowCardinality(String) COMMENT 'came, missed, cancelled-late, or unknown where it was taken back',
    position                UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
-- By the conversation's start, as ratings: all outcomes of a booking lie in one partition.
PARTITION BY toYYYYMM(conversation_started_at)
-- The outcomes of a period's conversations are one range of the key.
ORDER BY (conversation_started_at, conversation_id, booking_id)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a booking with an outcome. Read it with FINAL: unmerged, a corrected outcome stands twice'
