DELETE FROM staff_sessions WHERE account_id = $1 AND token_hash <> $2
