SELECT subject, action, by_whom, reason, cancel_bookings, begun_at, coalesce(position, 0)
  FROM subject_tasks WHERE begun_at < $1 ORDER BY begun_at, subject LIMIT 1000
