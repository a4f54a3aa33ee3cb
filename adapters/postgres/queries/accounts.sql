SELECT id::text, email, password_hash, created_at FROM staff_accounts ORDER BY email
