-- How often the assistant failed to reply, and how many conversations that or an unknown answer
-- concerns.
SELECT
    sum(failures)           AS failed_messages,
    countIf(failures > 0)   AS failed_conversations,
    countIf(unanswered > 0) AS unanswered_conversations
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
