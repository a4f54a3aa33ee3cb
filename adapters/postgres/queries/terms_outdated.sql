SELECT t.subject, t.term, t.sealed, k.wrapped_key, k.key_epoch
  FROM subject_terms t JOIN subject_keys k ON k.subject = t.subject AND k.wrapped_key IS NOT NULL
 WHERE (t.subject, t.term) > ($1, $2) AND t.key_epoch < $3
 ORDER BY t.subject, t.term LIMIT $4
