UPDATE staff_devices SET token_hash = $2 WHERE token_hash = $1 AND expires_at > $3
