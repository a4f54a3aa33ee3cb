INSERT INTO subject_keys (subject, wrapped_key, destroyed_at, key_epoch)
SELECT DISTINCT subject, NULL::bytea, clock_timestamp(), (SELECT key_epoch FROM log_epoch) FROM unnest($1::text[]) AS subject
ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at, key_epoch = excluded.key_epoch
 WHERE subject_keys.destroyed_at IS NULL
