DELETE FROM staff_sessions WHERE account_id = $1 AND id::text = $2
