SELECT stream, position, reason, parked_at, coalesce(drain_to, 0)
  FROM parked_conversations
 WHERE projection = $1
 ORDER BY position
