SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE position > $1 AND position <= $2
 ORDER BY position
 LIMIT $3
