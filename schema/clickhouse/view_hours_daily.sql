-- The conversations of each day by hour, with the hours that have none.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.hours_daily
(
    date          Date COMMENT 'Day of the business zone on which the conversations started', -- of conversations.started_at
    hour          UInt8 COMMENT 'Hour of the business zone in which they started, 0 to 23', -- of conversations.started_at
    conversations UInt64 COMMENT {meaning of conversations}, -- of conversations.conversation_id
    leads         UInt64 COMMENT {meaning of leads}, -- of conversations.lead
    appointments  UInt64 COMMENT {meaning of appointments} -- of conversations.appointment
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    date, hour, sum(talked) AS conversations, sum(lead) AS leads, sum(appointment) AS appointments
FROM
(
    SELECT toDate(started_at) AS date, toHour(started_at) AS hour, 1 AS talked, lead, appointment
    FROM {database}.conversations FINAL
    UNION ALL
    SELECT toDate(now('{zone}')) - arrayJoin(range(if(count() = 0, 0, greatest(0, dateDiff('day', min(started_at), now('{zone}')) + 1)))),
        arrayJoin(range(24)), 0, false, false
    FROM {database}.conversations
)
GROUP BY date, hour
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row an hour of each day of the business zone, from the first conversation to today, also where nothing happened. Do not take a mean with today: its hours that are still to come have zeros'
