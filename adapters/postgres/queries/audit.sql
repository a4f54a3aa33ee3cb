-- name: of_staff
-- What accounts and operators did, and what was done to accounts, in [$1, $2); a question continues it.
-- Each part has the condition of an index: events_of_staff, events_of_subjects, events_of_answers, events_of_chart_notes.
SELECT *
  FROM (SELECT position, event_id, stream, version, type, schema_version,
               occurred_at, recorded_at, data, sealed, metadata, payload_hash
          FROM events
         WHERE (starts_with(stream, 'staff/') OR starts_with(stream, 'operator/')) AND type <> 'SubjectErased' AND occurred_at >= $1 AND occurred_at < $2
         UNION ALL
        SELECT position, event_id, stream, version, type, schema_version,
               occurred_at, recorded_at, data, sealed, metadata, payload_hash
          FROM events
         WHERE type IN ('SubjectErased', 'SubjectExported', 'SubjectRestricted') AND occurred_at >= $1 AND occurred_at < $2
         UNION ALL
        SELECT position, event_id, stream, version, type, schema_version,
               occurred_at, recorded_at, data, sealed, metadata, payload_hash
          FROM events
         WHERE starts_with(stream, 'answer/') AND type <> 'SubjectErased' AND occurred_at >= $1 AND occurred_at < $2
         UNION ALL
        SELECT position, event_id, stream, version, type, schema_version,
               occurred_at, recorded_at, data, sealed, metadata, payload_hash
          FROM events
         WHERE starts_with(stream, 'chart-note/') AND type <> 'SubjectErased' AND occurred_at >= $1 AND occurred_at < $2) e

-- name: of_staff_after
 WHERE (occurred_at, position) > ($3, $4)
 ORDER BY occurred_at, position
 LIMIT $5

-- name: of_staff_before
 WHERE (occurred_at, position) < ($3, $4)
   AND ($5 = '' OR stream = 'staff/' || $5 OR data::json ->> 'by' = $5
        OR $5 = 'operator' AND starts_with(stream, 'operator/') AND data::json ->> 'by' IS NULL)
   AND ($6 = '' OR type = $6)
 ORDER BY occurred_at DESC, position DESC
 LIMIT $7

-- name: of_others
-- At most the few positions since the question before.
SELECT EXISTS (SELECT FROM events WHERE position > $1 AND position <= $2 AND NOT starts_with(stream, 'staff/'))
