-- name: session_account
WITH touched AS (
    UPDATE staff_sessions SET last_seen_at = $2
     WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3 AND last_seen_at < $4
)
SELECT a.id::text, a.email, a.password_hash, a.role, a.created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_sessions s
  JOIN staff_accounts a ON a.id = s.account_id
 WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3

-- name: session_create
WITH ended AS (
    DELETE FROM staff_sessions WHERE expires_at <= $3
)
INSERT INTO staff_sessions (token_hash, account_id, created_at, last_seen_at, expires_at, browser)
VALUES ($1, $2, $3, $3, $4, $5)

-- name: session_delete
DELETE FROM staff_sessions WHERE token_hash = $1 RETURNING account_id::text

-- name: session_end
DELETE FROM staff_sessions WHERE account_id = $1 AND id::text = $2

-- name: session_open
SELECT EXISTS (SELECT FROM staff_sessions WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3)

-- name: sessions
SELECT account_id::text, id::text, browser, created_at, last_seen_at, token_hash = $1
  FROM staff_sessions
 WHERE expires_at > $2 AND last_seen_at > $3
 ORDER BY last_seen_at DESC, created_at DESC, id

-- name: sessions_end
DELETE FROM staff_sessions WHERE account_id = $1 AND token_hash <> $2
