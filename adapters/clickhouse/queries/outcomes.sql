-- What became of the appointments of a cohort, by the days between booking and appointment, by the
-- appointment's weekday, by who booked it and by service; - stands for bookings without a service.
-- The row with grouped_by all is about all of them.
SELECT grouped.1 AS grouped_by, grouped.2 AS name, countIf(outcome = 'came') AS came, countIf(outcome = 'missed') AS missed, countIf(outcome = 'cancelled-late') AS cancelled_late
FROM
(
    SELECT
        outcome,
        dateDiff('day', assumeNotNull(booked_at), assumeNotNull(slot)) AS days_ahead,
        arrayJoin([
            ('all', ''),
            ('lead-time', multiIf(days_ahead <= 0, '0', days_ahead <= 2, '1', days_ahead <= 7, '3', '8')),
            ('weekday', toString(toDayOfWeek(assumeNotNull(slot)))),
            ('source', booked_by::String),
            ('specialty', if(specialty = '', '-', specialty::String))
        ]) AS grouped
    FROM bookings FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
      AND outcome != ''
)
GROUP BY grouped
ORDER BY grouped
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
