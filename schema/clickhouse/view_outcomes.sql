-- The bookings that have an outcome, as they were shown before bookings had a view of their own.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.outcomes
(
    conversation_id         String COMMENT 'Conversation, or message of the contact form, that the booking belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation, or when the message was received: joins outcomes to the cohort of a period',
    booking_id              String COMMENT 'Identifier of the booking',
    booked_at               DateTime64(3, '{zone}') COMMENT 'When the booking was confirmed first; until slot is its lead time',
    slot                    DateTime64(3, '{zone}') COMMENT 'When the appointment begins',
    booked_by               LowCardinality(String) COMMENT 'Who confirmed the booking: chat, form, staff',
    specialty               LowCardinality(String) COMMENT 'Slug of the service that was booked; empty if unknown',
    outcome                 String COMMENT 'came, missed, cancelled-late',
    position                UInt64 COMMENT 'Position of the outcome in the log', -- of bookings.outcome
    channel                 LowCardinality(String) COMMENT 'Where its conversation or message came from: web, import, demo' -- of conversations.channel, contacts.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id, conversation_started_at, booking_id, assumeNotNull(booked_at) AS booked_at, assumeNotNull(slot) AS slot,
    booked_by::LowCardinality(String) AS booked_by, specialty::LowCardinality(String) AS specialty, outcome, told_outcome.1 AS position,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT contact_id FROM {database}.contacts WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM {database}.bookings FINAL
WHERE outcome != ''
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row an appointment with a recorded outcome, on the day of its conversation or message: came, missed, cancelled-late. Do not divide by its rows for a rate of all appointments: those without an outcome are in bookings alone'
