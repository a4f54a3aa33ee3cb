SELECT count(*) FILTER (WHERE name_hash = $1), count(*) FROM login_failures WHERE address = $2 AND failed_at > $3 AND device IS NULL
