SELECT EXISTS (SELECT FROM staff_sessions WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3)
