SELECT id::text, email, password_hash, role, created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_accounts a
 ORDER BY email
