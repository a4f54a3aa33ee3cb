SELECT e.key_epoch,
       (SELECT count(*) FROM subject_keys WHERE destroyed_at IS NOT NULL AND key_epoch = e.key_epoch),
       EXISTS (SELECT FROM key_epochs WHERE key_epoch < e.key_epoch AND key_check IS NOT NULL)
           AND NOT EXISTS (SELECT FROM key_epochs WHERE key_epoch = e.key_epoch AND rotated_at IS NOT NULL),
       coalesce(l.key_epoch, 0), coalesce(l.survivors, 0), coalesce(l.erased, 0), l.rotated_at
  FROM log_epoch e
  LEFT JOIN LATERAL (SELECT key_epoch, survivors, erased, rotated_at FROM key_epochs
                      WHERE rotated_at IS NOT NULL ORDER BY key_epoch DESC LIMIT 1) l ON true
