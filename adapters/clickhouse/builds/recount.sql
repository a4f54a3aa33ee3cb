-- Sums by the day a conversation or a visit started, to be held against a recount of the log.
SELECT
    toString(toDate(at))          AS day,
    countIf(conversation)         AS conversations,
    sum(message_count)            AS messages,
    sum(visitor_messages)         AS visitor_messages,
    countIf(lead)                 AS leads,
    countIf(appointment)          AS appointments,
    countIf(appointment_cancelled) AS cancelled_appointments,
    sum(active_ms)                AS active_ms,
    countIf(visit)                AS visits,
    countIf(opened)               AS opened_visits
FROM
(
    SELECT started_at AS at, true AS conversation, message_count, visitor_messages, lead, appointment, appointment_cancelled, active_ms, false AS visit, false AS opened
    FROM conversations FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), conversation_id)
    UNION ALL
    SELECT started_at AS at, false AS conversation, 0, 0, false, false, false, 0, true AS visit, opened_by_visitor AS opened
    FROM visits FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), visit_id)
)
GROUP BY day
ORDER BY day
