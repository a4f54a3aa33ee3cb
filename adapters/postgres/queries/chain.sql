-- name: anchor
SELECT position, encode(hash, 'hex'), epoch::text FROM log_chain ORDER BY position DESC LIMIT 1

-- name: bad_streams
SELECT stream, count(*), min(version), max(version)
  FROM events
 GROUP BY stream
HAVING min(version) <> 1 OR max(version) <> count(*)
 ORDER BY stream
 LIMIT $1

-- name: chain_around
-- The link at or before one position, and the end of the group that another position lies in.
SELECT coalesce(former.position, 0), coalesce(former.hash, decode(repeat('00', 32), 'hex')),
       coalesce((SELECT min(position) FROM log_chain WHERE position >= $2), $2), unchained_through
  FROM log_epoch
  LEFT JOIN LATERAL (SELECT position, hash FROM log_chain WHERE position <= $1 ORDER BY position DESC LIMIT 1) former ON true

-- name: chain_at
SELECT position, encode(hash, 'hex'), epoch::text FROM log_chain WHERE position = ANY($1)

-- name: chain_ends
SELECT (SELECT coalesce(max(position), 0) FROM events),
       (SELECT coalesce(max(position), 0) FROM log_chain),
       (SELECT unchained_through FROM log_epoch)

-- name: chain_links
SELECT position, epoch, hash FROM log_chain WHERE position > $1 AND position <= $2 ORDER BY position

-- name: chain_segments
SELECT epoch::text, max(position) FROM log_chain GROUP BY epoch ORDER BY 2

-- name: fingerprint
-- Whatever the order in which rows are read: a sum of what each event is at its position.
SELECT count(*) || ' ' || coalesce(sum(hashtextextended(event_id::text || encode(payload_hash, 'hex'), position)::numeric), 0)
  FROM events
 WHERE position <= $1

-- name: migration_pending
-- What a backup before migrations is of: the log's first event, its end, and the bytes of all of it.
SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT coalesce(max(position), 0) FROM events),
       pg_database_size(current_database())
