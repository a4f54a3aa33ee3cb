INSERT INTO staff_accounts (email, password_hash) VALUES (lower($1), $2)
ON CONFLICT (email) DO NOTHING
RETURNING id::text, email, password_hash, created_at
