-- What was asked when replies knew no answer, the ten most frequent of each topic: the visitor's
-- message before the reply. Texts that differ in case, accents and punctuation only are one.
SELECT
    reply.topic AS topic,
    argMax(question.text, (question.sent_at, question.conversation_id))            AS asked,
    count()                                                                        AS times,
    max(question.sent_at)                                                          AS last_asked_at,
    argMax(question.conversation_id, (question.sent_at, question.conversation_id)) AS last_conversation_id
FROM
(
    SELECT conversation_id, text, sent_at, cityHash64(conversation_id, ordinal) AS place
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      -- Most conversations have no such reply, and their messages need not be joined. The start
      -- is cheaper to look up than the id; those that share one are told apart by the join.
      AND conversation_started_at IN (
          SELECT started_at
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
          WHERE unanswered > 0)
      AND sender = 'visitor' AND text != ''
) AS question
INNER JOIN
(
    SELECT conversation_id, cityHash64(conversation_id, toUInt32(ordinal - 1)) AS question_place, if(topic = '', '-', topic) AS topic
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
      AND NOT answered
) AS reply
-- One number is joined faster than an id and an ordinal.
ON reply.question_place = question.place
WHERE reply.conversation_id = question.conversation_id
GROUP BY
    topic,
    trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(question.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS same
ORDER BY topic, times DESC, last_asked_at DESC, same
LIMIT 10 BY topic
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
