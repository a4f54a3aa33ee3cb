-- The conversations that started in [from, to), newest first, that come after the place
-- (before_started_at, before_id) in this order. The first page begins at (to, '').
SELECT
    conversation_id,
    started_at,
    last_message_at,
    message_count,
    lead,
    appointment,
    appointment_cancelled,
    channel
FROM conversations FINAL
WHERE started_at >= {from:DateTime64(3, 'UTC')}
  AND started_at <  {to:DateTime64(3, 'UTC')}
  -- The comparison of pairs alone would not narrow the range of the key that is read.
  AND started_at <= {before_started_at:DateTime64(3, 'UTC')}
  AND (started_at, conversation_id) < ({before_started_at:DateTime64(3, 'UTC')}, {before_id:String})
ORDER BY started_at DESC, conversation_id DESC
LIMIT {limit:UInt64}
