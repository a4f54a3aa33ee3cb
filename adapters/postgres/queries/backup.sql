-- name: bundle_header
SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT coalesce(max(position), 0) FROM events),
       count(*) FILTER (WHERE destroyed_at IS NULL),
       count(*) FILTER (WHERE destroyed_at IS NOT NULL)
  FROM subject_keys

-- name: table_columns
SELECT table_name::text, array_agg(column_name::text ORDER BY ordinal_position)
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
 GROUP BY table_name
