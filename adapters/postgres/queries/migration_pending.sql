-- What a backup before migrations is of: the log's first event, its end, and the bytes of all of it.
SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT coalesce(max(position), 0) FROM events),
       pg_database_size(current_database())
