UPDATE staff_accounts SET role = $2 WHERE id = $1
