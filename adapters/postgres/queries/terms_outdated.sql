SELECT t.subject, t.term, t.sealed, k.wrapped_key, coalesce(k.key_epoch, 0)
  FROM (SELECT subject, term, sealed FROM subject_terms
         WHERE (subject, term) > ($1, $2) AND key_epoch < $3
         ORDER BY subject, term LIMIT 1000) t
  LEFT JOIN subject_keys k ON k.subject = t.subject
 ORDER BY t.subject, t.term
