SELECT coalesce(min(w.position), 0)
  FROM unnest($1::bigint[], $2::uuid[]) AS w(position, id)
  LEFT JOIN events e ON e.position = w.position AND e.event_id = w.id
 WHERE e.position IS NULL
