-- The additive counts of the conversations of each day, with the days that have none.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.kpis_daily
(
    date                   Date COMMENT 'Day of the business zone on which the conversations started', -- of conversations.started_at
    conversations          UInt64 COMMENT {meaning of conversations}, -- of conversations.conversation_id
    messages               UInt64 COMMENT {meaning of messages}, -- of conversations.message_count
    visitor_messages       UInt64 COMMENT {meaning of visitor_messages}, -- of conversations.visitor_messages
    unanswered             UInt64 COMMENT {meaning of unanswered}, -- of conversations.unanswered
    failures               UInt64 COMMENT {meaning of failures}, -- of conversations.failures
    flagged                UInt64 COMMENT {meaning of flagged}, -- of conversations.flags
    leads                  UInt64 COMMENT {meaning of leads}, -- of conversations.lead
    appointments           UInt64 COMMENT {meaning of appointments}, -- of conversations.appointment
    cancelled_appointments UInt64 COMMENT {meaning of cancelled_appointments}, -- of conversations.appointment_cancelled
    active_ms              UInt64 COMMENT {meaning of total_active_ms} -- of conversations.active_ms
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    date, sum(talked) AS conversations, sum(message_count) AS messages, sum(visitor_messages) AS visitor_messages, sum(unanswered) AS unanswered,
    sum(failures) AS failures, sum(flagged) AS flagged, sum(lead) AS leads, sum(appointment) AS appointments,
    sum(appointment_cancelled) AS cancelled_appointments, sum(active_ms) AS active_ms
FROM
(
    SELECT toDate(started_at) AS date, 1 AS talked, message_count, visitor_messages, unanswered, failures, notEmpty(flags) AS flagged,
        lead, appointment, appointment_cancelled, active_ms
    FROM {database}.conversations FINAL
    UNION ALL
    SELECT toDate(now('{zone}')) - arrayJoin(range(if(count() = 0, 0, greatest(0, dateDiff('day', min(started_at), now('{zone}')) + 1)))), 0, 0, 0, 0, 0, 0, false, false, false, 0
    FROM {database}.conversations
)
GROUP BY date
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a day of the business zone, from the first conversation to today, also where nothing happened. Do not take an average of days for that of conversations: divide sums. For a filter use cohort_days'
