INSERT INTO subject_keys (subject, wrapped_key, destroyed_at, key_epoch)
SELECT subject, NULL, clock_timestamp(), (SELECT key_epoch FROM log_epoch) FROM lost_keys
ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at, key_epoch = excluded.key_epoch
