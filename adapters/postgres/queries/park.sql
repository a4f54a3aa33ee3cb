INSERT INTO parked_conversations AS p (projection, stream, position, reason)
SELECT $1, w.stream, w.position, w.reason
  FROM unnest($2::text[], $3::bigint[], $4::text[]) AS w(stream, position, reason)
ON CONFLICT (projection, stream) DO UPDATE
   SET position = excluded.position, reason = excluded.reason, drain_to = NULL
 WHERE excluded.position < p.position OR p.drain_to IS NOT NULL
