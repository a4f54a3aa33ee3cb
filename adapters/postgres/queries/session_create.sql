WITH ended AS (
    DELETE FROM staff_sessions WHERE expires_at <= $3
)
INSERT INTO staff_sessions (token_hash, account_id, created_at, last_seen_at, expires_at, browser)
VALUES ($1, $2, $3, $3, $4, $5)
