-- name: scan_types
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, NULL::text AS sealed, metadata, payload_hash
  FROM events
 WHERE position > $1 AND position <= $2 AND type = ANY ($3)
 ORDER BY position

-- name: shared_terms
SELECT array_agg(subject ORDER BY subject) AS streams
  FROM subject_terms
 WHERE subject = ANY ($1)
 GROUP BY term
HAVING count(*) > 1
 ORDER BY 1
