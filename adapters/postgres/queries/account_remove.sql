DELETE FROM staff_accounts WHERE id = $1
