-- The transcript of a conversation, in the order of its messages.
SELECT
    message_id,
    ordinal,
    sender = 'visitor' AS visitor,
    text,
    model,
    sent_at
FROM messages FINAL
WHERE conversation_id = {conversation_id:String}
ORDER BY conversation_started_at, ordinal
