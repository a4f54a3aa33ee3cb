UPDATE log_epoch SET master_key_check = coalesce(master_key_check, $1) RETURNING master_key_check
