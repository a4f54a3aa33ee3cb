-- name: find_subjects
SELECT DISTINCT subject FROM subject_terms WHERE term = ANY ($1) ORDER BY subject

-- name: hold_subjects
SELECT subject, wrapped_key, key_epoch FROM subject_keys WHERE subject = ANY ($1) AND wrapped_key IS NOT NULL ORDER BY subject FOR SHARE

-- name: index_terms
INSERT INTO subject_terms (subject, key_epoch, term, sealed)
SELECT t.subject, $1, t.term, t.sealed FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS t(subject, term, sealed)
ON CONFLICT DO NOTHING

-- name: readings_of
-- The condition on the stream is that of the index events_of_staff. Exports and replays name
-- nobody.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM events
 WHERE starts_with(stream, 'staff/')
   AND (type = 'TranscriptOpened' AND data::json ->> 'conversationId' = ANY ($1)
        OR type IN ('ContactMessagesOpened', 'VisitorTextsRead') AND EXISTS (
            SELECT FROM unnest($1::text[]) id WHERE strpos(data, to_json(id)::text) > 0)
        OR type IN ('ExportTaken', 'QuestionsReplayed'))
 ORDER BY occurred_at, position

-- name: request_streams
-- The streams with a request about personal data that is not done, or with any, the latest first.
SELECT stream
FROM events
WHERE type IN ('PrivacyRequestReceived', 'PrivacyRequestDone')
GROUP BY stream
HAVING $1 OR count(*) FILTER (WHERE type = 'PrivacyRequestReceived') > count(*) FILTER (WHERE type = 'PrivacyRequestDone')
ORDER BY max(position) DESC
LIMIT $2

-- name: restricted
-- The streams whose latest word on it restricts them.
SELECT stream
  FROM (SELECT DISTINCT ON (stream) stream, data FROM events WHERE type = 'SubjectRestricted' ORDER BY stream, version DESC) latest
 WHERE (data::json ->> 'on')::boolean
 ORDER BY stream

-- name: streams_of_browser
-- The conversations that a browser began, the latest first.
SELECT stream
FROM events
WHERE type = 'ConversationStarted' AND data::jsonb ->> 'resumeHash' = $1
ORDER BY position DESC
LIMIT $2

-- name: subject_index
SELECT through, target FROM subject_index

-- name: subject_index_lock
SELECT i.through, i.target, e.key_epoch FROM subject_index i, log_epoch e FOR UPDATE OF i FOR SHARE OF e

-- name: subject_index_move
UPDATE subject_index SET through = $1

-- name: subject_index_renew
UPDATE subject_index SET through = 0, target = (SELECT coalesce(max(position), 0) FROM events), kinds = $1 WHERE kinds < $1

-- name: subject_task_end
DELETE FROM subject_tasks WHERE subject = $1 AND action = $2 AND begun_at = $3

-- name: subject_task_mark
UPDATE subject_tasks SET position = $4 WHERE subject = $1 AND action = $2 AND begun_at = $3

-- name: subject_tasks_begin
INSERT INTO subject_tasks AS t (subject, action, by_whom, reason, cancel_bookings, begun_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[])
ON CONFLICT (subject) DO UPDATE
   SET action = excluded.action, by_whom = excluded.by_whom, reason = excluded.reason,
       cancel_bookings = excluded.cancel_bookings, begun_at = excluded.begun_at, position = NULL
 WHERE t.action <> 'erase'

-- name: subject_tasks_of
SELECT subject, action, by_whom, reason, cancel_bookings, begun_at, coalesce(position, 0)
  FROM subject_tasks WHERE subject = ANY ($1) ORDER BY begun_at, subject

-- name: subject_tasks_pending
SELECT subject, action, by_whom, reason, cancel_bookings, begun_at, coalesce(position, 0)
  FROM subject_tasks WHERE begun_at < $1 ORDER BY begun_at, subject LIMIT 1000

-- name: subscriptions
SELECT k.subject
  FROM subject_keys k JOIN events e ON e.stream = k.subject
 WHERE starts_with(k.subject, 'subscription/') AND k.wrapped_key IS NOT NULL
 GROUP BY k.subject
HAVING bool_or(e.type = 'SubscriptionConfirmed') = $1 AND max(e.occurred_at) <= $2
 ORDER BY min(e.position)
