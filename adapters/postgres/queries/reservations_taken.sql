SELECT place, begins, ends
  FROM booked_places
 WHERE place = ANY ($1)
   AND begins > $2::timestamptz - interval '1 day' AND begins < $3 AND ends > $2
 ORDER BY begins, place
