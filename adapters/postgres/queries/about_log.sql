SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1)
