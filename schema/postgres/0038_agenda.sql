-- Programs that know 0037_staff_texts.sql go on beside it.
-- The appointments of a day are asked for whenever the staff looks at its agenda.

CREATE INDEX events_of_slots ON events ((data::jsonb ->> 'slot') COLLATE "C") WHERE type = 'AppointmentBooked';
