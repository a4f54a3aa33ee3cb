DELETE FROM staff_devices WHERE account_id = $1
