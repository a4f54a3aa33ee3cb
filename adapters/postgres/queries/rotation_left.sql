SELECT (SELECT count(*) FROM subject_keys WHERE wrapped_key IS NOT NULL AND key_epoch < $1)
     + (SELECT count(*) FROM subject_terms WHERE key_epoch < $1)
