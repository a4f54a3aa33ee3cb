INSERT INTO key_epochs (key_epoch, key_check) VALUES ($1, $2)
ON CONFLICT (key_epoch) DO UPDATE SET key_check = coalesce(key_epochs.key_check, excluded.key_check)
RETURNING key_check
