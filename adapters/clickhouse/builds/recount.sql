-- Sums by the day a conversation or a visit started, or a contact came, to be held against a
-- recount of the log. A rating, an outcome and a booking count on the day of their conversation, a
-- change of status on that of its contact.
SELECT
    toString(toDate(at))          AS date,
    countIf(conversation)         AS conversations,
    sum(message_count)            AS messages,
    sum(visitor_messages)         AS visitor_messages,
    sum(failures)                 AS failures,
    countIf(consent)              AS consents,
    countIf(lead)                 AS leads,
    countIf(appointment)          AS appointments,
    countIf(appointment_cancelled) AS cancelled_appointments,
    sum(flags)                    AS flags,
    sum(active_ms)                AS active_ms,
    countIf(visit)                AS visits,
    countIf(opened)               AS opened_visits,
    countIf(contact)              AS contacts,
    countIf(untouched)            AS new_contacts,
    sum(notes)                    AS contact_notes,
    countIf(rating = 'positive')  AS positive_ratings,
    countIf(rating = 'negative')  AS negative_ratings,
    sum(dismissed)                AS dismissed,
    countIf(outcome = 'came')     AS came,
    countIf(outcome = 'missed')   AS missed,
    countIf(outcome = 'cancelled-late') AS cancelled_late,
    countIf(fact IN ('booked', 'cancelled')) AS bookings,
    countIf(fact = 'cancelled')   AS cancelled_bookings,
    countIf(fact = 'changed')     AS status_changes,
    countIf(fact = 'refused')     AS refusals,
    countIf(shown)                AS booking_links,
    countIf(followed)             AS followed_booking_links,
    countIf(fact = 'answer')      AS answer_changes,
    countIf(fact = 'access')      AS data_accesses
FROM
(
    SELECT started_at AS at, true AS conversation, message_count, visitor_messages, failures, consent, lead, appointment, appointment_cancelled, length(flags) AS flags, active_ms,
        false AS visit, false AS opened, false AS contact, false AS untouched, 0 AS notes, '' AS rating, length(dismissed_ordinals) AS dismissed, '' AS outcome, '' AS fact,
        booking_link_shown_at IS NOT NULL AS shown, booking_link_followed_at IS NOT NULL AS followed
    FROM conversations FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), conversation_id)
    UNION ALL
    SELECT started_at, false, 0, 0, 0, false, false, false, false, 0, 0, true, opened_by_visitor, false, false, 0, '', 0, '', '', false, false
    FROM visits FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), visit_id)
    UNION ALL
    SELECT came_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, true, status = 'new', notes, '', 0, '', '', false, false
    FROM contacts FINAL
    WHERE reachable AND NOT has(splitByChar('\n', {without:String}), contact_id)
    UNION ALL
    SELECT conversation_started_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, rating, 0, '', '', false, false
    FROM ratings FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), conversation_id)
    UNION ALL
    SELECT conversation_started_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, '', 0, outcome, if(cancelled, 'cancelled', 'booked'), false, false
    FROM bookings FINAL
    WHERE booked_by != '' AND NOT has(splitByChar('\n', {without:String}), conversation_id)
    UNION ALL
    SELECT came_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, '', 0, '', 'changed', false, false
    FROM contact_history FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), contact_id)
    UNION ALL
    SELECT refused_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, '', 0, '', 'refused', false, false
    FROM chat_refusals FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), month)
    UNION ALL
    SELECT changed_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, '', 0, '', 'answer', false, false
    FROM answers_taught FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), change)
    UNION ALL
    SELECT accessed_at, false, 0, 0, 0, false, false, false, false, 0, 0, false, false, false, false, 0, '', 0, '', 'access', false, false
    FROM data_access FINAL
    WHERE NOT has(splitByChar('\n', {without:String}), subject)
)
GROUP BY date
ORDER BY date
