UPDATE leases SET expires_at = clock_timestamp() + $3 WHERE name = $1 AND token = $2
