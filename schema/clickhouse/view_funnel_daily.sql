-- The steps from a visit to an appointment of each day, with the days that have none.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.funnel_daily
(
    date          Date COMMENT 'Day of the business zone on which the visits and conversations started', -- of visits.started_at, conversations.started_at
    visits        UInt64 COMMENT 'Visits, with one for each conversation', -- of visits.visit_id
    opened_chats  UInt64 COMMENT 'Visits whose visitor opened the chat, with one for each conversation', -- of visits.opened_by_visitor
    conversations UInt64 COMMENT {meaning of conversations}, -- of conversations.conversation_id
    consents      UInt64 COMMENT {meaning of consents}, -- of conversations.consent
    leads         UInt64 COMMENT {meaning of leads}, -- of conversations.lead
    appointments  UInt64 COMMENT {meaning of appointments} -- of conversations.appointment
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    date, sum(visit) AS visits, sum(opened) AS opened_chats, sum(talked) AS conversations, sum(consent) AS consents, sum(lead) AS leads,
    sum(appointment) AS appointments
FROM
(
    SELECT toDate(started_at) AS date, 1 AS visit, opened_by_visitor AS opened, 0 AS talked, false AS consent, false AS lead, false AS appointment
    FROM {database}.visits FINAL
    WHERE NOT conversation
    UNION ALL
    SELECT toDate(started_at), 1, true, 1, consent, lead, appointment
    FROM {database}.conversations FINAL
    UNION ALL
    SELECT toDate(now('{zone}')) - arrayJoin(range(if(count() = 0, 0, greatest(0, dateDiff('day', min(started_at), now('{zone}')) + 1)))), 0, false, 0, false, false, false
    -- Each table's own minimum is read from its parts' indexes, and not from its rows.
    FROM
    (
        SELECT min(started_at) AS started_at FROM {database}.conversations HAVING count() > 0
        UNION ALL
        SELECT min(started_at) FROM {database}.visits HAVING count() > 0
    )
)
GROUP BY date
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a day of the business zone, from the first visit or conversation to today, also where nothing happened. Do not compare visits with days before the first recorded visit: there, each conversation counts as a visit and no other does'
