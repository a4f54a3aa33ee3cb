-- name: park
INSERT INTO parked_conversations AS p (projection, stream, position, reason)
SELECT $1, w.stream, w.position, w.reason
  FROM unnest($2::text[], $3::bigint[], $4::text[]) AS w(stream, position, reason)
ON CONFLICT (projection, stream) DO UPDATE
   SET position = excluded.position, reason = excluded.reason, drain_to = NULL
 WHERE excluded.position < p.position OR p.drain_to IS NOT NULL

-- name: parked
SELECT stream, position, reason, parked_at, coalesce(drain_to, 0)
  FROM parked_conversations
 WHERE projection = $1
 ORDER BY position

-- name: parked_drain
WITH drained AS (
    UPDATE parked_conversations p
       SET drain_to = c.announced
      FROM (SELECT announced FROM projection_checkpoints WHERE projection = $1 FOR UPDATE) c
     WHERE p.projection = $1 AND p.stream = $2
    RETURNING p.drain_to
), numbered AS (
    UPDATE projection_builds SET retries = retries + 1 WHERE name = $1 RETURNING retries
)
SELECT d.drain_to, coalesce((SELECT retries FROM numbered), 0) FROM drained d

-- name: parked_end
WITH told AS (
    UPDATE projection_builds SET retried = greatest(retried, $4) WHERE name = $1
)
DELETE FROM parked_conversations WHERE projection = $1 AND stream = $2 AND drain_to = $3

-- name: parked_move
UPDATE parked_conversations SET position = $3, reason = $4
 WHERE projection = $1 AND stream = $2 AND drain_to IS NULL

-- name: skips
-- The condition is that of the index events_skipped.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE type = 'EventSkipped'
 ORDER BY position
