SELECT table_name::text, array_agg(column_name::text ORDER BY ordinal_position)
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
 GROUP BY table_name
