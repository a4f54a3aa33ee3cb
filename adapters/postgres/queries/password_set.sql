UPDATE staff_accounts SET password_hash = $2, password_changed_at = clock_timestamp() WHERE id = $1
