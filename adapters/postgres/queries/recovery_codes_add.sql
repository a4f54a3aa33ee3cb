INSERT INTO staff_recovery_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])
