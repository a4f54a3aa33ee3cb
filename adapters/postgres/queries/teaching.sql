-- name: conversations_since
-- The condition on the type is that of the index events_of_starts.
SELECT stream FROM events WHERE type = 'ConversationStarted' AND occurred_at >= $1 ORDER BY occurred_at DESC, position DESC LIMIT $2

-- name: taught
-- The condition is that of the index events_of_answers.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'answer/')
 ORDER BY position

-- name: chart_notes
-- The condition is that of the index events_of_chart_notes.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'chart-note/')
 ORDER BY position

-- name: taught_mark
INSERT INTO taught_answers (slug, content_version) VALUES ($1, $2)
ON CONFLICT (slug) DO UPDATE SET content_version = excluded.content_version

-- name: taught_of
-- The first condition is that of the index events_of_answers.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'answer/') AND (stream = $1 OR starts_with(stream, $1 || '/'))
 ORDER BY position

-- name: taught_since
SELECT slug FROM taught_answers WHERE content_version > $1
