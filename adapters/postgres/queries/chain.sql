-- name: anchor
SELECT position, encode(hash, 'hex'), epoch::text FROM log_chain ORDER BY position DESC LIMIT 1

-- name: bad_streams
SELECT stream, count(*), min(version), max(version)
  FROM events
 GROUP BY stream
HAVING min(version) <> 1 OR max(version) <> count(*)
 ORDER BY stream
 LIMIT $1

-- name: chain_ends
SELECT (SELECT coalesce(max(position), 0) FROM events),
       (SELECT coalesce(max(position), 0) FROM log_chain),
       (SELECT unchained_through FROM log_epoch)

-- name: chain_links
SELECT position, epoch, hash FROM log_chain WHERE position > $1 AND position <= $2 ORDER BY position

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
