DELETE FROM booked_places WHERE booking = ANY ($1)
