-- The first condition is that of the index events_of_answers.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'answer/') AND (stream = $1 OR starts_with(stream, $1 || '/'))
 ORDER BY position
