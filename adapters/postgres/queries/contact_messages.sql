SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE type = 'ContactMessageReceived' AND position < $1
 ORDER BY position DESC
 LIMIT $2
