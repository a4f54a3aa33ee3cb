-- The limit is a constant: a plan for any limit reads and sorts the whole table.
SELECT subject, wrapped_key, key_epoch FROM subject_keys
 WHERE subject > $1 AND wrapped_key IS NOT NULL AND key_epoch < $2
 ORDER BY subject LIMIT 1000
