-- The condition on the stream is that of the index events_of_staff.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE (starts_with(stream, 'staff/') OR starts_with(stream, 'operator/'))
   AND occurred_at >= $1 AND occurred_at < $2 AND (occurred_at, position) > ($3, $4)
 ORDER BY occurred_at, position
 LIMIT $5
