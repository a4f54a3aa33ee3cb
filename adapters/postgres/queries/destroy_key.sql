INSERT INTO subject_keys (subject, wrapped_key, destroyed_at)
VALUES ($1, NULL, clock_timestamp())
ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at
 WHERE subject_keys.destroyed_at IS NULL
