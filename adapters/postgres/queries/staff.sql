-- name: account_add
INSERT INTO staff_accounts (email, password_hash, role) VALUES (lower($1), $2, $3)
ON CONFLICT (email) DO NOTHING
RETURNING id::text, email, password_hash, role, created_at, false

-- name: account_by_email
SELECT id::text, email, password_hash, role, created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_accounts a
 WHERE email = lower($1)

-- name: account_by_id
SELECT id::text, email, password_hash, role, created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_accounts a
 WHERE id::text = $1

-- name: account_remove
DELETE FROM staff_accounts WHERE id = $1

-- name: accounts_invent
INSERT INTO staff_accounts (id, email, password_hash, role) VALUES ($1, lower($2), $3, $4)
ON CONFLICT DO NOTHING

-- name: accounts_invented_remove
DELETE FROM staff_accounts WHERE id = ANY($1::uuid[]) OR email = $2

-- name: accounts
SELECT id::text, email, password_hash, role, created_at,
       EXISTS (SELECT FROM staff_second_factors f WHERE f.account_id = a.id AND f.confirmed_at IS NOT NULL)
  FROM staff_accounts a
 ORDER BY email

-- name: device_failures
SELECT (SELECT count(*) FROM login_failures WHERE device = $1 AND failed_at > $4)
  FROM staff_devices
 WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3

-- name: device_keep
WITH old AS (
    DELETE FROM staff_devices WHERE expires_at <= $3
)
INSERT INTO staff_devices (token_hash, account_id, expires_at) VALUES ($1, $2, $4)
ON CONFLICT (token_hash, account_id) DO UPDATE SET expires_at = excluded.expires_at

-- name: device_rename
UPDATE staff_devices SET token_hash = $2 WHERE token_hash = $1 AND expires_at > $3

-- name: devices_forget
DELETE FROM staff_devices WHERE account_id = $1

-- name: failure_record
WITH old AS (
    DELETE FROM login_failures WHERE failed_at <= $5
)
INSERT INTO login_failures (name_hash, address, device, failed_at) VALUES ($1, $2, $3, $4)

-- name: failures_count
SELECT count(*) FILTER (WHERE name_hash = $1), count(*) FROM login_failures WHERE address = $2 AND failed_at > $3 AND device IS NULL

-- name: owners_lock
SELECT id::text FROM staff_accounts WHERE role = 'owner' ORDER BY id FOR UPDATE

-- name: password_set
UPDATE staff_accounts SET password_hash = $2, password_changed_at = clock_timestamp() WHERE id = $1

-- name: role_set
UPDATE staff_accounts SET role = $2 WHERE id = $1
