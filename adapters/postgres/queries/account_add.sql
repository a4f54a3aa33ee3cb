INSERT INTO staff_accounts (email, password_hash, role) VALUES (lower($1), $2, $3)
ON CONFLICT (email) DO NOTHING
RETURNING id::text, email, password_hash, role, created_at, false
