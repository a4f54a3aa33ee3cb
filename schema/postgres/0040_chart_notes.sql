-- Programs that know 0039_reception.sql go on beside it.
-- The notes of the chart are a small part of the log, asked for as a whole and by time.
CREATE INDEX events_of_chart_notes ON events (occurred_at) WHERE starts_with(stream, 'chart-note/');
