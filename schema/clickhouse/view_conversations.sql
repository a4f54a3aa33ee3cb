-- The analysts' conversations: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
-- The casts give the declared types: without them a value arrives with the aggregate function
-- that it is stored with.
CREATE OR REPLACE VIEW {views}.conversations
(
    conversation_id       String COMMENT 'Identifier of the conversation, as on the dashboard',
    started_at            DateTime64(3, '{zone}') COMMENT 'Time of the first accepted visitor message; decides the period a conversation belongs to',
    last_message_at       DateTime64(3, '{zone}') COMMENT 'Time of the latest message of either side',
    message_count         UInt32 COMMENT 'Messages of both sides',
    visitor_messages      UInt64 COMMENT 'Messages of the visitor',
    unanswered            UInt64 COMMENT 'Replies that found no answer in the clinic''s content',
    dismissed_ordinals    Array(UInt32) COMMENT 'Ordinals of the visitor''s messages that the staff dismissed: nothing is left to be done about their answers; sorted',
    failures              UInt64 COMMENT 'Visitor messages that got no reply because the assistant failed',
    active_ms             UInt64 COMMENT 'Active time in milliseconds: the gaps between messages, each counted up to 30 minutes',
    topics                Array(String) COMMENT 'Topics of the assistant''s replies, sorted',
    models                Array(String) COMMENT 'Models that replied, sorted; empty text for one that is not known',
    flags                 Array(String) COMMENT 'What asks for the staff''s attention: crisis, emergency, urgency, complaint, callback; sorted',
    consent               Bool COMMENT 'The visitor agreed to leave contact details',
    lead                  Bool COMMENT 'A reachable contact was given, with consent',
    appointment           Bool COMMENT 'A booking was confirmed; stays true after a cancellation',
    appointment_cancelled Bool COMMENT 'The booking was taken back, and none followed',
    booking_sources       Array(String) COMMENT 'Who confirmed bookings: chat, form, staff; sorted',
    channel               LowCardinality(String) COMMENT 'Where the conversation came from: web, import, demo',
    referrer              LowCardinality(String) COMMENT 'Kind of visit that led to it: direct, search, social; empty if unknown',
    last_position         UInt64 COMMENT 'Greatest position in the log that tells of this conversation'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id,
    started_at,
    last_message_at::DateTime64(3, '{zone}') AS last_message_at,
    message_count::UInt32 AS message_count,
    visitor_messages,
    unanswered,
    arraySort(dismissed_ordinals) AS dismissed_ordinals,
    failures,
    active_ms::UInt64 AS active_ms,
    arraySort(topics) AS topics,
    arraySort(models) AS models,
    arraySort(flags) AS flags,
    consent::Bool AS consent,
    lead::Bool AS lead,
    appointment::Bool AS appointment,
    appointment_cancelled,
    arraySort(booking_sources) AS booking_sources,
    channel::LowCardinality(String) AS channel,
    referrer::LowCardinality(String) AS referrer,
    last_position::UInt64 AS last_position
FROM {database}.conversations FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
