SELECT account_id::text, id::text, browser, created_at, last_seen_at, token_hash = $1
  FROM staff_sessions
 WHERE expires_at > $2 AND last_seen_at > $3
 ORDER BY last_seen_at DESC, created_at DESC, id
