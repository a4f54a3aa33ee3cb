-- The conversations that every number of the dashboard is about: those that started in
-- [from, to), as far as the filter lets them through. Conditions that the filter does not name
-- are folded away before anything is read. Analysts ask this view; for the dashboard its SELECT
-- is put into the question, since a view is analysed twice. Casts and rights are as in the others.
CREATE OR REPLACE VIEW {views}.cohort
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
    out_of_hours          Bool COMMENT 'It started while the clinic was closed, by the opening hours that were given'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS WITH
    {filter:Map(String, String)} AS wanted,
    (toDayOfWeek(started_at) - 1) * 1440 + toHour(started_at) * 60 + toMinute(started_at) AS minute_of_week
SELECT
    conversation_id,
    started_at,
    toDateTime64(last_message_at, 3) AS last_message_at,
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
    (NOT arrayExists(span -> span.1 <= minute_of_week AND minute_of_week < span.2, {opening:Array(Tuple(UInt16, UInt16))}))::Bool AS out_of_hours
FROM {database}.conversations FINAL
WHERE started_at >= {from:DateTime64(3, 'UTC')}
  AND started_at <  {to:DateTime64(3, 'UTC')}
  AND (wanted['lead'] = '' OR lead = (wanted['lead'] = 'true'))
  AND (wanted['appointment'] = '' OR appointment = (wanted['appointment'] = 'true'))
  AND (wanted['consent'] = '' OR consent = (wanted['consent'] = 'true'))
  AND (wanted['unanswered'] = '' OR (unanswered > 0) = (wanted['unanswered'] = 'true'))
  AND (wanted['failed'] = '' OR (failures > 0) = (wanted['failed'] = 'true'))
  AND (wanted['flagged'] = '' OR notEmpty(flags) = (wanted['flagged'] = 'true'))
  AND (wanted['flag'] = '' OR has(flags, wanted['flag']))
  AND (wanted['out_of_hours'] = '' OR out_of_hours = (wanted['out_of_hours'] = 'true'))
  AND (wanted['topic'] = '' OR has(if(empty(topics), ['-'], topics), wanted['topic']))
  AND (wanted['min_active_ms'] = '' OR active_ms >= toUInt64OrZero(wanted['min_active_ms']))
  AND (wanted['max_active_ms'] = '' OR active_ms <= toUInt64OrZero(wanted['max_active_ms']))
  AND (wanted['weekday'] = '' OR toDayOfWeek(started_at) = toUInt8OrZero(wanted['weekday']))
  AND (wanted['hour'] = '' OR toHour(started_at) = toUInt8OrZero(wanted['hour']))
  AND (wanted['search'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.messages FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['search'] != ''
        AND position(translateUTF8(lowerUTF8(text), 'áéíóúü', 'aeiouu'), translateUTF8(lowerUTF8(wanted['search']), 'áéíóúü', 'aeiouu')) > 0))
  AND (wanted['model'] = '' OR has(models, if(wanted['model'] = '-', '', wanted['model'])))
  AND (wanted['unanswered_topic'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.messages FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['unanswered_topic'] != ''
        AND NOT answered AND if(topic = '', '-', topic) = wanted['unanswered_topic']))
  AND (wanted['rated'] = '' OR conversation_id IN (
      SELECT conversation_id
      FROM {database}.ratings FINAL
      WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
        AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
        AND wanted['rated'] != ''
        AND rating = wanted['rated']
        AND (wanted['rated_topic'] = '' OR if(topic = '', '-', topic) = wanted['rated_topic'])))
SETTINGS do_not_merge_across_partitions_select_final = 1
