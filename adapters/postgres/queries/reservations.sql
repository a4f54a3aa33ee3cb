SELECT booking, place, begins, ends
  FROM booked_places
 ORDER BY begins, booking
