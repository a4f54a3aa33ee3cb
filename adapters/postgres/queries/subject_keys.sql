SELECT subject, wrapped_key, key_epoch FROM subject_keys WHERE subject = ANY ($1)
