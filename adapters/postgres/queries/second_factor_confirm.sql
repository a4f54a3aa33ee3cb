UPDATE staff_second_factors SET confirmed_at = clock_timestamp(), last_step = $3
 WHERE account_id = $1 AND begun_at = $2 AND confirmed_at IS NULL
