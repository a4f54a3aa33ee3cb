-- The condition is that of the index events_skipped.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE type = 'EventSkipped'
 ORDER BY position
