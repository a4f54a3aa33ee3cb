-- The audit tells of operators, too.
DROP INDEX events_of_staff;
CREATE INDEX events_of_staff ON events (occurred_at) WHERE starts_with(stream, 'staff/') OR starts_with(stream, 'operator/');
