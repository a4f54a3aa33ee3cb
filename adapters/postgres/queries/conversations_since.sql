-- The condition on the type is that of the index events_of_starts.
SELECT stream FROM events WHERE type = 'ConversationStarted' AND occurred_at >= $1 ORDER BY occurred_at DESC, position DESC LIMIT $2
