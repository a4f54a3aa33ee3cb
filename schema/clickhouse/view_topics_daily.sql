-- The conversations of each day by topic, with the days that have none.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.topics_daily
(
    date                     Date COMMENT 'Day of the business zone on which the conversations started', -- of conversations.started_at
    topic                    String COMMENT 'Topic of a reply in them; - for conversations without one', -- of conversations.topics
    conversations            UInt64 COMMENT {meaning of conversations}, -- of conversations.conversation_id
    leads                    UInt64 COMMENT {meaning of leads}, -- of conversations.lead
    appointments             UInt64 COMMENT {meaning of appointments}, -- of conversations.appointment
    unanswered_conversations UInt64 COMMENT 'Conversations with a reply, about whatever topic, without an answer from the content' -- of conversations.unanswered
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    date, topic, sum(talked) AS conversations, sum(lead) AS leads, sum(appointment) AS appointments, sum(incomplete) AS unanswered_conversations
FROM
(
    SELECT toDate(started_at) AS date, arrayJoin(if(empty(topics), ['-'], topics)) AS topic, 1 AS talked, lead, appointment, unanswered > 0 AS incomplete
    FROM {database}.conversations FINAL
    UNION ALL
    -- Every conversation tells which topics there are, whatever the range: a day has zeros of topics that only others have.
    -- No key narrows this column, of 40 bytes a conversation.
    SELECT toDate(now('{zone}')) - arrayJoin(range(if(count() = 0, 0, greatest(0, dateDiff('day', min(started_at), now('{zone}')) + 1)))),
        arrayJoin(arrayPushBack(groupUniqArrayArray(topics)::Array(String), '-')), 0, false, false, 0
    FROM {database}.conversations
)
GROUP BY date, topic
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a day of the business zone and topic, from the first conversation to today, also where nothing happened. Do not add topics up: a conversation counts once under each of its topics'
