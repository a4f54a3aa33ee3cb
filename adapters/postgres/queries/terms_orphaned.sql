DELETE FROM subject_terms t
 WHERE t.key_epoch < $1
   AND NOT EXISTS (SELECT FROM subject_keys k WHERE k.subject = t.subject AND k.wrapped_key IS NOT NULL)
