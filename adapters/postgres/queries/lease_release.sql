WITH released AS (
    UPDATE leases SET expires_at = '-infinity' WHERE name = $1 AND token = $2 RETURNING name
)
SELECT pg_notify('bitacora_lease', name) FROM released
