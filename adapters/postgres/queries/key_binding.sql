SELECT e.key_epoch, k.key_check, EXISTS (SELECT FROM subject_keys)
  FROM log_epoch e LEFT JOIN key_epochs k USING (key_epoch)
