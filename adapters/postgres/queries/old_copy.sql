-- Whether a rotation was under way when the database was as it is now, and has ended since.
SELECT CASE WHEN EXISTS (SELECT FROM key_epochs WHERE key_epoch = (SELECT key_epoch FROM log_epoch) AND key_epoch > 0 AND rotated_at IS NULL)
            THEN EXISTS (SELECT FROM subject_keys WHERE wrapped_key IS NOT NULL AND key_epoch <> ALL ($1))
            ELSE false END
