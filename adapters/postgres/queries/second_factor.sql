-- name: recovery_code_use
-- What is counted is what there was before the code was used.
WITH used AS (
    DELETE FROM staff_recovery_codes WHERE account_id = $1 AND code_hash = $2 RETURNING code_hash
)
SELECT count(*) - 1 FROM staff_recovery_codes WHERE account_id = $1 HAVING EXISTS (SELECT FROM used)

-- name: recovery_codes_add
INSERT INTO staff_recovery_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])

-- name: second_factor
SELECT sealed, begun_at, confirmed_at IS NOT NULL,
       (SELECT count(*) FROM staff_recovery_codes c WHERE c.account_id = f.account_id)
  FROM staff_second_factors f
 WHERE account_id = $1

-- name: second_factor_begin
INSERT INTO staff_second_factors AS f (account_id, sealed) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed, begun_at = clock_timestamp()
 WHERE f.confirmed_at IS NULL

-- name: second_factor_confirm
UPDATE staff_second_factors SET confirmed_at = clock_timestamp(), last_step = $3
 WHERE account_id = $1 AND begun_at = $2 AND confirmed_at IS NULL

-- name: second_factor_remove
DELETE FROM staff_second_factors WHERE account_id = $1 RETURNING confirmed_at IS NOT NULL

-- name: second_factor_step
UPDATE staff_second_factors SET last_step = $2
 WHERE account_id = $1 AND last_step < $2 AND confirmed_at IS NOT NULL

-- name: subject_key_add
-- Under the append lock: no key epoch begins meanwhile.
INSERT INTO subject_keys (subject, wrapped_key, key_epoch)
SELECT $1, $2, key_epoch FROM log_epoch WHERE key_epoch = $3
ON CONFLICT DO NOTHING
