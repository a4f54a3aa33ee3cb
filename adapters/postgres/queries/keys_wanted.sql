-- The newest key epoch whose key the database or the bundle needs.
SELECT greatest((SELECT key_epoch FROM log_epoch), (SELECT max(key_epoch) FROM bundled_keys WHERE destroyed_at IS NULL))
