SELECT count(*) FILTER (WHERE email = lower($1)), count(*) FROM login_failures WHERE address = $2 AND failed_at > $3 AND device IS NULL
