UPDATE key_epochs
   SET rotated_at = coalesce(rotated_at, clock_timestamp()),
       survivors = coalesce(survivors, (SELECT count(*) FROM subject_keys WHERE wrapped_key IS NOT NULL)),
       erased = coalesce(erased, (SELECT count(*) FROM subject_keys WHERE destroyed_at IS NOT NULL AND key_epoch = $1 - 1))
 WHERE key_epoch = $1
RETURNING survivors, erased, rotated_at
