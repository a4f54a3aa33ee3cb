SELECT id::text FROM staff_accounts WHERE role = 'owner' ORDER BY id FOR UPDATE
