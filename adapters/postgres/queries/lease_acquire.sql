-- Tokens are of the time: a standby that lacked the last owner gives that one's to nobody again.
INSERT INTO leases (name, owner, token, expires_at)
VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, clock_timestamp() + $3)
ON CONFLICT (name) DO UPDATE
   SET owner = excluded.owner, token = greatest(leases.token + 1, excluded.token), expires_at = excluded.expires_at
 WHERE leases.expires_at < clock_timestamp() OR leases.owner = excluded.owner
RETURNING token
