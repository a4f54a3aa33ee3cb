SELECT coalesce(c.position, 0),
       CASE WHEN coalesce(c.position, 0) = h.position THEN clock_timestamp() ELSE c.recorded_at END
  FROM (SELECT coalesce(max(position), 0) AS position FROM events) h
  LEFT JOIN projection_checkpoints c ON c.projection = $1
