-- Under the append lock: no key epoch begins meanwhile.
INSERT INTO subject_keys (subject, wrapped_key, key_epoch)
SELECT $1, $2, key_epoch FROM log_epoch WHERE key_epoch = $3
ON CONFLICT DO NOTHING
