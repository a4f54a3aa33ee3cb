SELECT id::text, email, password_hash, role, created_at FROM staff_accounts WHERE id::text = $1
