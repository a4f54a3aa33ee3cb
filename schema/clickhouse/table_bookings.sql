-- One row a booking, once merged. Every column but the key is a join, and every event of a booking
-- names the same facts.
CREATE TABLE IF NOT EXISTS {database}.bookings
(
    conversation_id         String COMMENT 'Conversation, or message of the contact form, that the booking belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation, or when the message was received: joins bookings to the cohort of a period',
    booking_id              String COMMENT 'Identifier of the booking',
    booked_at               SimpleAggregateFunction(min, Nullable(DateTime64(3, '{zone}'))) COMMENT 'When the booking was confirmed first',
    slot                    SimpleAggregateFunction(max, Nullable(DateTime64(3, '{zone}'))) COMMENT 'When the appointment begins',
    booked_by               SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Who confirmed the booking: chat, form, staff',
    specialty               SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Slug of the service that was booked; empty if unknown, or where a form or the staff named another than the clinic''s',
    replaces                SimpleAggregateFunction(max, String) COMMENT 'Identifier of the booking that this one moves to another time; empty if none',
    cancelled_at            SimpleAggregateFunction(max, Nullable(DateTime64(3, '{zone}'))) COMMENT 'Time of the latest cancellation; NULL if there was none. It was taken back where cancelled is false',
    booked_position         SimpleAggregateFunction(max, UInt64) COMMENT 'Position in the log of its latest confirmation; 0 if there was none',
    cancelled_position      SimpleAggregateFunction(max, UInt64) COMMENT 'Position in the log of its latest cancellation; 0 if there was none',
    told_outcome            SimpleAggregateFunction(max, Tuple(UInt64, String)) COMMENT 'Outcome that was recorded last, or unknown where it was taken back, with its position in the log',
    last_position           SimpleAggregateFunction(max, UInt64) COMMENT 'Greatest position in the log that tells of this booking',

    cancelled Bool ALIAS cancelled_position > booked_position COMMENT 'The booking was cancelled, and not confirmed again',
    outcome   String ALIAS if(told_outcome.2 = 'unknown', '', told_outcome.2) COMMENT 'Outcome of the appointment: came, missed, cancelled-late; empty while none is recorded'
)
ENGINE = AggregatingMergeTree
-- By the conversation's start, as ratings: all partial rows of a key lie in one partition.
PARTITION BY toYYYYMM(conversation_started_at)
-- The bookings of a period's conversations are one range of the key.
ORDER BY (conversation_started_at, conversation_id, booking_id)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a booking. Read it with FINAL: unmerged, a booking has several partial rows'
