DELETE FROM staff_sessions WHERE token_hash = $1
