SELECT (SELECT count(*) FROM login_failures WHERE device = $1 AND failed_at > $4)
  FROM staff_devices
 WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3
