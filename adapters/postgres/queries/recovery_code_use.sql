-- What is counted is what there was before the code was used.
WITH used AS (
    DELETE FROM staff_recovery_codes WHERE account_id = $1 AND code_hash = $2 RETURNING code_hash
)
SELECT count(*) - 1 FROM staff_recovery_codes WHERE account_id = $1 HAVING EXISTS (SELECT FROM used)
