UPDATE subject_keys k SET wrapped_key = n.fresh, key_epoch = $1
  FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS n(subject, old, fresh)
 WHERE k.subject = n.subject AND k.wrapped_key = n.old
