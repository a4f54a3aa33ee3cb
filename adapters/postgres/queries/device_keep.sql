WITH old AS (
    DELETE FROM staff_devices WHERE expires_at <= $3
)
INSERT INTO staff_devices (token_hash, account_id, expires_at) VALUES ($1, $2, $4)
ON CONFLICT (token_hash, account_id) DO UPDATE SET expires_at = excluded.expires_at
