SELECT subject, wrapped_key FROM subject_keys WHERE subject = ANY ($1)
