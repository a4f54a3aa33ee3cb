DELETE FROM staff_sessions WHERE token_hash = $1 RETURNING account_id::text
