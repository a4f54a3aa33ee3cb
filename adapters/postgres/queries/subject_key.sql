SELECT subject, wrapped_key FROM subject_keys WHERE subject = $1
