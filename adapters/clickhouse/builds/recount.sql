-- Sums by the day a conversation started, to be held against a recount of the log.
SELECT
    toString(toDate(started_at))  AS day,
    count()                       AS conversations,
    sum(message_count)            AS messages,
    sum(visitor_messages)         AS visitor_messages,
    countIf(lead)                 AS leads,
    countIf(appointment)          AS appointments,
    countIf(appointment_cancelled) AS cancelled_appointments,
    sum(active_ms)                AS active_ms
FROM conversations FINAL
WHERE NOT has(splitByChar('\n', {without:String}), conversation_id)
GROUP BY day
ORDER BY day
