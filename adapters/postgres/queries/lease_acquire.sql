INSERT INTO leases (name, owner, token, expires_at)
VALUES ($1, $2, 1, clock_timestamp() + $3)
ON CONFLICT (name) DO UPDATE
   SET owner = excluded.owner, token = leases.token + 1, expires_at = excluded.expires_at
 WHERE leases.expires_at < clock_timestamp() OR leases.owner = excluded.owner
RETURNING token
