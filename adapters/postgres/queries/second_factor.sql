SELECT sealed, begun_at, confirmed_at IS NOT NULL,
       (SELECT count(*) FROM staff_recovery_codes c WHERE c.account_id = f.account_id)
  FROM staff_second_factors f
 WHERE account_id = $1
