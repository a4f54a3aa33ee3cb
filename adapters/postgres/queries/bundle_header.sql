SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT coalesce(max(position), 0) FROM events),
       count(*) FILTER (WHERE destroyed_at IS NULL),
       count(*) FILTER (WHERE destroyed_at IS NOT NULL)
  FROM subject_keys
