SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE stream = ANY($1) AND ($2::text[] IS NULL OR type = ANY($2))
 ORDER BY stream, version
