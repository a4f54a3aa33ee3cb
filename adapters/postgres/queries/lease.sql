-- name: lease_acquire
-- Tokens are of the time: a standby that lacked the last owner gives that one's to nobody again.
INSERT INTO leases (name, owner, token, expires_at)
VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, clock_timestamp() + $3)
ON CONFLICT (name) DO UPDATE
   SET owner = excluded.owner, token = greatest(leases.token + 1, excluded.token), expires_at = excluded.expires_at
 WHERE leases.expires_at < clock_timestamp() OR leases.owner = excluded.owner
RETURNING token

-- name: lease_release
WITH released AS (
    UPDATE leases SET expires_at = '-infinity' WHERE name = $1 AND token = $2 RETURNING name
)
SELECT pg_notify('bitacora_lease', name) FROM released

-- name: lease_renew
UPDATE leases SET expires_at = clock_timestamp() + $3 WHERE name = $1 AND token = $2

-- name: leases_end
UPDATE leases SET expires_at = '-infinity'

-- name: pause_lock
SELECT announced, hold_until > clock_timestamp()
  FROM projection_checkpoints
 WHERE projection = ANY ($1)
 ORDER BY projection
   FOR UPDATE

-- name: pause_reached
SELECT count(*) FILTER (WHERE position = $2) FROM projection_checkpoints WHERE projection = ANY ($1)

-- name: pause_release
WITH released AS (
    UPDATE projection_checkpoints SET hold_at = NULL, hold_until = NULL WHERE projection = ANY ($1) AND hold_at = $2 RETURNING 1
)
SELECT pg_notify('bitacora_log', '') FROM released

-- name: pause_renew
UPDATE projection_checkpoints
   SET hold_until = clock_timestamp() + $3
 WHERE projection = ANY ($1) AND hold_at = $2 AND hold_until > clock_timestamp()

-- name: pause_set
UPDATE projection_checkpoints SET hold_at = $2, hold_until = clock_timestamp() + $3 WHERE projection = ANY ($1)
