-- The conversations that a browser began, the latest first.
SELECT stream
FROM events
WHERE type = 'ConversationStarted' AND data::jsonb ->> 'resumeHash' = $1
ORDER BY position DESC
LIMIT $2
