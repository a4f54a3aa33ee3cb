-- Who takes which place of the agenda, and when.

CREATE TABLE booked_places (
    booking text PRIMARY KEY,
    place   text NOT NULL,
    begins  timestamptz NOT NULL,
    ends    timestamptz NOT NULL,
    CHECK (begins < ends AND ends <= begins + interval '1 day')
);
COMMENT ON TABLE booked_places IS 'Times at which a place of the agenda is taken. A place is taken in the transaction that appends its booking, under the append lock: two appointments never overlap at one place.';
COMMENT ON COLUMN booked_places.booking IS 'bookingId of the AppointmentBooked that took the place.';
COMMENT ON COLUMN booked_places.place IS 'Where one appointment at a time takes place: the service and the number of its chair.';
-- What overlaps a time at a place.
CREATE INDEX booked_places_place ON booked_places (place, begins);

GRANT SELECT, INSERT, DELETE ON booked_places TO bitacora_writer;

CREATE FUNCTION take_place(claim jsonb, release text) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    c_begins timestamptz := claim ->> 'begins';
    c_ends   timestamptz := claim ->> 'ends';
BEGIN
    INSERT INTO booked_places (booking, place, begins, ends)
    SELECT claim ->> 'booking', p.place, c_begins, c_ends
      FROM jsonb_array_elements_text(claim -> 'places') WITH ORDINALITY AS p(place, no)
     WHERE NOT EXISTS (
               SELECT FROM booked_places b
                WHERE b.place = p.place
                  AND b.begins < c_ends AND b.begins > c_begins - interval '1 day'
                  AND b.ends > c_begins
                  AND b.booking IS DISTINCT FROM release)
     ORDER BY p.no
     LIMIT 1;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION take_place IS 'Takes the first place of {"booking", "places", "begins", "ends"} that is free for the whole time, and says whether there was one. The place of the booking named by release counts as free. Called under the append lock.';

REVOKE EXECUTE ON FUNCTION take_place FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_place TO bitacora_writer;
