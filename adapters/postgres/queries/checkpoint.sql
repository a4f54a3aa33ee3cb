SELECT l.epoch::text, c.epoch::text, coalesce(c.position, 0),
       (SELECT e.event_id FROM events e WHERE e.position = c.position), (SELECT coalesce(max(position), 0) FROM events),
       l.cluster IS DISTINCT FROM (SELECT system_identifier FROM pg_control_system())
  FROM log_epoch l
  LEFT JOIN projection_checkpoints c ON c.projection = $1
