SELECT subject, wrapped_key, key_epoch FROM subject_keys WHERE subject = ANY ($1) AND wrapped_key IS NOT NULL ORDER BY subject FOR SHARE
