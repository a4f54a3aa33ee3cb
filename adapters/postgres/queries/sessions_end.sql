DELETE FROM staff_sessions WHERE account_id = $1
