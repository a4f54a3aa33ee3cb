INSERT INTO subject_tasks AS t (subject, action, by_whom, reason, cancel_bookings, begun_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[])
ON CONFLICT (subject) DO UPDATE
   SET action = excluded.action, by_whom = excluded.by_whom, reason = excluded.reason,
       cancel_bookings = excluded.cancel_bookings, begun_at = excluded.begun_at, position = NULL
 WHERE t.action <> 'erase'
