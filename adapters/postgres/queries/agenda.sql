-- name: append_lock
SELECT pg_advisory_xact_lock(7310575211900612)

-- name: reservations
SELECT booking, place, begins, ends
  FROM booked_places
 ORDER BY begins, booking

-- name: reservations_release
DELETE FROM booked_places WHERE booking = ANY ($1)

-- name: reservations_take
SELECT CASE WHEN EXISTS (SELECT FROM booked_places WHERE booking = $1::jsonb ->> 'booking') THEN true
            ELSE take_place($1::jsonb, NULL)
       END

-- name: reservations_taken
SELECT place, begins, ends
  FROM booked_places
 WHERE place = ANY ($1)
   AND begins > $2::timestamptz - interval '1 day' AND begins < $3 AND ends > $2
 ORDER BY begins, place
