SELECT CASE WHEN EXISTS (SELECT FROM booked_places WHERE booking = $1::jsonb ->> 'booking') THEN true
            ELSE take_place($1::jsonb, NULL)
       END
