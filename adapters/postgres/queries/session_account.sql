WITH touched AS (
    UPDATE staff_sessions SET last_seen_at = $2
     WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3 AND last_seen_at < $4
)
SELECT a.id::text, a.email, a.password_hash, a.role, a.created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_sessions s
  JOIN staff_accounts a ON a.id = s.account_id
 WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3
