-- The conversations that started in [from, to), as far as the filter lets them through, newest
-- first, that come after the place (before_started_at, before_id) in this order and the offset
-- from there. The first page begins at (to, ''), and an export is one page of all.
SELECT
    conversation_id,
    started_at,
    last_message_at,
    message_count,
    visitor_messages::UInt32 AS visitor_messages,
    active_ms,
    consent,
    lead,
    appointment,
    appointment_cancelled,
    booking_sources,
    topics,
    flags,
    unanswered::UInt32 AS unanswered,
    failures::UInt32 AS failures,
    out_of_hours,
    channel,
    referrer
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
-- The comparison of pairs alone would not narrow the range of the key that is read.
WHERE started_at <= {before_started_at:DateTime64(3, 'UTC')}
  AND (started_at, conversation_id) < ({before_started_at:DateTime64(3, 'UTC')}, {before_id:String})
ORDER BY started_at DESC, conversation_id DESC
LIMIT {limit:UInt64} OFFSET {offset:UInt64}
