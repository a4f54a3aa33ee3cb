DELETE FROM staff_second_factors WHERE account_id = $1 RETURNING confirmed_at IS NOT NULL
