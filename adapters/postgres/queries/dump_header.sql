SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT coalesce(max(position), 0) FROM events)
