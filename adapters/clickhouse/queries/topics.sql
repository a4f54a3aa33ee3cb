-- What conversations are about and what comes of them; - stands for those without a topic.
SELECT
    arrayJoin(if(empty(topics), ['-'], topics)) AS topic,
    count()                AS conversations,
    countIf(lead)          AS leads,
    countIf(appointment)   AS appointments,
    countIf(unanswered > 0) AS unanswered_conversations
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
GROUP BY topic
ORDER BY conversations DESC, topic
