-- name: append
SELECT outcome, first_position, first_version, recorded
  FROM append_events(
    s_name           => $1,
    q_month          => $2,
    r_stream         => $3,
    r_expected       => $4,
    r_events         => $5,
    r_sealed         => $6,
    r_key            => $7,
    r_quota          => $8,
    r_limit          => $9,
    r_claim          => $10,
    r_release        => $11,
    e_request        => $12,
    e_nth            => $13,
    e_id             => $14,
    e_type           => $15,
    e_schema_version => $16,
    e_occurred_at    => $17,
    e_data           => $18,
    e_sealed         => $19,
    e_metadata       => $20,
    r_epoch          => $21,
    r_key_epoch      => $22,
    t_request        => $23,
    t_term           => $24,
    t_sealed         => $25
  )

-- name: destroy_keys
INSERT INTO subject_keys (subject, wrapped_key, destroyed_at, key_epoch)
SELECT subject, NULL::bytea, clock_timestamp(), (SELECT key_epoch FROM log_epoch) FROM (SELECT DISTINCT unnest($1::text[]) AS subject) AS erased
ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at, key_epoch = excluded.key_epoch
 WHERE subject_keys.destroyed_at IS NULL

-- name: destroy_terms
DELETE FROM subject_terms WHERE subject = ANY ($1)

-- name: epoch
SELECT epoch::text FROM log_epoch

-- name: head
SELECT coalesce(max(position), 0) FROM events

-- name: key_epoch
SELECT key_epoch FROM log_epoch

-- name: lacks
SELECT coalesce(min(w.position), 0)
  FROM unnest($1::bigint[], $2::uuid[]) AS w(position, id)
  LEFT JOIN events e ON e.position = w.position AND e.event_id = w.id
 WHERE e.position IS NULL

-- name: monthly_count
SELECT coalesce((SELECT started FROM monthly_quota WHERE month = $1), 0)

-- name: read_by_id
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE event_id = ANY ($1)

-- name: read_stream
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE stream = $1
 ORDER BY version

-- name: read_streams
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE stream = ANY($1) AND ($2::text[] IS NULL OR type = ANY($2))
 ORDER BY stream, version

-- name: scan
-- Rows are taken while those before them hold less than $4 bytes, so the first one always is.
-- How long a text is, is known without fetching what lies out of line.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM (SELECT *, sum(octet_length(data) + coalesce(octet_length(sealed), 0) + octet_length(metadata))
                      OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held
          FROM (SELECT * FROM events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3) AS next) AS counted
 WHERE held IS NULL OR held < $4
 ORDER BY position

-- name: subject_key
SELECT subject, wrapped_key, key_epoch FROM subject_keys WHERE subject = $1

-- name: stored_before
SELECT (SELECT recorded_at FROM events WHERE position > e.position AND recorded_at > e.recorded_at ORDER BY position LIMIT 1)
  FROM events e
 WHERE position = $1

-- name: streams_between
SELECT DISTINCT stream FROM events WHERE position > $1 AND position <= $2

-- name: streams_of
-- The streams of some subjects: of those that are named, and of those whose share of thirty has its bit set. The
-- tables know the same shares, see builds.Sample.
SELECT stream
  FROM (SELECT stream, substring(stream FROM '/(.*)') AS subject FROM events WHERE version = 1) AS all_streams
 WHERE subject = ANY($2) OR $1::bigint >> (('x' || left(md5(coalesce(subject, '')), 8))::bit(32)::bigint % 30)::integer & 1 = 1

-- name: booked_streams
-- The days are compared as they are written: a time of another zone is at most a day from where it stands.
SELECT DISTINCT stream
  FROM events
 WHERE type = 'AppointmentBooked'
   AND (data::jsonb ->> 'slot') COLLATE "C" BETWEEN $1 AND $2
