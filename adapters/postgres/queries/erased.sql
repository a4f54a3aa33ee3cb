SELECT subject FROM subject_keys WHERE destroyed_at IS NOT NULL ORDER BY subject
