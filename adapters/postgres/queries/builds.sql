-- name: blocked
-- Statements of this program that wait for a lock, and who holds it.
SELECT a.pid, left(regexp_replace(a.query, '\s+', ' ', 'g'), 80), b.pid, left(regexp_replace(b.query, '\s+', ' ', 'g'), 80)
  FROM pg_stat_activity a
  JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS blocker(pid) ON true
  JOIN pg_stat_activity b ON b.pid = blocker.pid
 WHERE a.application_name = 'bitacora' AND a.datname = current_database()

-- name: build_begin
INSERT INTO projection_builds (name, state, version, epoch, target)
SELECT $1, 'replaying', $2, l.epoch, (SELECT coalesce(max(position), 0) FROM events)
  FROM log_epoch l
RETURNING target

-- name: build_first
INSERT INTO projection_builds (name, state, version, epoch)
SELECT $1, 'live', $2, epoch FROM log_epoch
 WHERE NOT EXISTS (SELECT FROM projection_builds)
ON CONFLICT (name) DO NOTHING

-- name: build_follow
INSERT INTO projection_checkpoints (projection, epoch, position, announced, recorded_at, token)
SELECT b.name, b.epoch, b.target, b.target, (SELECT recorded_at FROM events WHERE position = b.target), 0
  FROM projection_builds b
 WHERE b.name = $1 AND b.epoch = (SELECT epoch FROM log_epoch)
   AND NOT EXISTS (SELECT FROM build_ranges r WHERE r.build = b.name AND r.replayed_at IS NULL)

-- name: build_live
SELECT name FROM projection_builds WHERE state = 'live'

-- name: build_move
UPDATE projection_builds SET state = $2, updated_at = clock_timestamp()
 WHERE name = $1 AND state = ANY ($3)

-- name: build_range_done
UPDATE build_ranges SET replayed_at = clock_timestamp() WHERE build = $1 AND first = $2

-- name: build_ranges_left
SELECT first, last FROM build_ranges WHERE build = $1 AND replayed_at IS NULL ORDER BY first

-- name: build_ranges_plan
INSERT INTO build_ranges (build, first, last)
SELECT $1, first, least(first + $3 - 1, $2) FROM generate_series(1::bigint, $2, $3) AS first

-- name: build_retire
UPDATE projection_builds SET state = 'kept', updated_at = clock_timestamp() WHERE state = 'live' AND name <> $1

-- name: build_status
-- How every build stands that has not been dropped.
SELECT b.name, b.state, b.version, b.epoch::text, b.target, b.created_at,
       c.projection IS NOT NULL, coalesce(c.position, 0), coalesce(c.announced, 0), c.epoch::text,
       CASE WHEN c.recorded_at IS NOT NULL AND c.position < h.position
            THEN extract(epoch FROM clock_timestamp() - c.recorded_at) ELSE 0 END::float8,
       c.updated_at, coalesce(c.hold_at, 0), coalesce(c.hold_until > clock_timestamp(), false),
       coalesce(c.trouble, ''),
       coalesce(w.owner, ''), coalesce(w.expires_at > clock_timestamp(), false),
       (SELECT count(*) FROM parked_conversations p WHERE p.projection = b.name), b.retried,
       (SELECT coalesce(sum(r.last - r.first + 1), 0)::bigint FROM build_ranges r WHERE r.build = b.name AND r.replayed_at IS NOT NULL),
       h.position, l.epoch::text, l.adopted_from::text,
       l.cluster IS DISTINCT FROM (SELECT system_identifier FROM pg_control_system())
  FROM projection_builds b
 CROSS JOIN log_epoch l
 CROSS JOIN (SELECT coalesce(max(position), 0) AS position FROM events) h
  LEFT JOIN projection_checkpoints c ON c.projection = b.name
  LEFT JOIN leases w ON w.name = b.name
 WHERE b.state <> 'dropped'
 ORDER BY b.created_at, length(b.name), b.name

-- name: builds
SELECT name, state, version, epoch::text, target, created_at, updated_at
  FROM projection_builds
 ORDER BY created_at, length(name), name

-- name: checkpoint
SELECT l.epoch::text, c.epoch::text, coalesce(c.position, 0),
       (SELECT e.event_id FROM events e WHERE e.position = c.position), (SELECT coalesce(max(position), 0) FROM events),
       l.cluster IS DISTINCT FROM (SELECT system_identifier FROM pg_control_system())
  FROM log_epoch l
  LEFT JOIN projection_checkpoints c ON c.projection = $1

-- name: checkpoint_claim
INSERT INTO projection_checkpoints AS c (projection, epoch, position, token)
SELECT $1, epoch, 0, $2 FROM log_epoch
ON CONFLICT (projection) DO UPDATE SET token = excluded.token WHERE c.token <= excluded.token

-- name: checkpoint_error
UPDATE projection_checkpoints SET trouble = $2, trouble_at = clock_timestamp() WHERE projection = $1

-- name: checkpoint_move
UPDATE projection_checkpoints
   SET position = $5, recorded_at = $6, updated_at = clock_timestamp(), trouble = NULL, trouble_at = NULL
 WHERE projection = $1 AND token = $2 AND epoch = $3::uuid AND position = $4
   AND epoch = (SELECT epoch FROM log_epoch)
   AND EXISTS (SELECT FROM events e WHERE e.position = $5 AND e.event_id = $7::uuid)

-- name: checkpoint_write_ahead
UPDATE projection_checkpoints
   SET announced = greatest(announced, least($5, CASE WHEN hold_until > clock_timestamp() THEN hold_at END))
 WHERE projection = $1 AND token = $2 AND epoch = $3::uuid AND position = $4
   AND epoch = (SELECT epoch FROM log_epoch)
   AND EXISTS (SELECT FROM events e WHERE e.position = $5 AND e.event_id = $6::uuid)
RETURNING least($5, CASE WHEN hold_until > clock_timestamp() THEN hold_at END)

-- name: data_through
SELECT coalesce(c.position, 0),
       CASE WHEN coalesce(c.position, 0) = h.position THEN clock_timestamp() ELSE c.recorded_at END
  FROM (SELECT coalesce(max(position), 0) AS position FROM events) h
  LEFT JOIN projection_checkpoints c ON c.projection = $1

-- name: update_cost
-- What a backup and a rebuild are of; how much the newest rebuild read, and the seconds that it took, with its pauses.
SELECT coalesce((SELECT version FROM projection_builds WHERE state = 'live') <> $1, false),
       (SELECT coalesce(max(position), 0) FROM events),
       pg_database_size(current_database()),
       coalesce(newest.target, 0), coalesce(newest.seconds, 0)
  FROM (SELECT) one
  LEFT JOIN LATERAL (
       SELECT b.target, extract(epoch FROM max(r.replayed_at) - b.created_at)::double precision AS seconds
         FROM projection_builds b
         JOIN build_ranges r ON r.build = b.name
        GROUP BY b.name, b.target, b.created_at
       HAVING bool_and(r.replayed_at IS NOT NULL)
        ORDER BY b.created_at DESC
        LIMIT 1) newest ON true
