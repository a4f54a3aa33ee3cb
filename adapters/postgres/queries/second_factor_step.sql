UPDATE staff_second_factors SET last_step = $2
 WHERE account_id = $1 AND last_step < $2 AND confirmed_at IS NOT NULL
