INSERT INTO staff_second_factors AS f (account_id, sealed) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed, begun_at = clock_timestamp()
 WHERE f.confirmed_at IS NULL
