-- What was asked when replies were rated negative, with those replies and the answer
-- that each came from, the ten most frequent
-- questions of each topic. Texts that differ in case, accents and punctuation only are one.
SELECT
    if(rated.topic = '', '-', rated.topic) AS topic,
    argMax(question.text, (question.sent_at, question.conversation_id))            AS asked,
    argMax(reply.text, (question.sent_at, question.conversation_id))               AS replied,
    argMax(arrayFirst(source -> startsWith(source, 'answer/'), reply.sources), (question.sent_at, question.conversation_id)) AS source,
    count()                                                                        AS times,
    max(question.sent_at)                                                          AS last_asked_at,
    argMax(question.conversation_id, (question.sent_at, question.conversation_id)) AS last_conversation_id,
    sum(count()) OVER (PARTITION BY topic)                                         AS topic_times
FROM
(
    SELECT conversation_id, ordinal, topic
    FROM ratings FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
      AND rating = 'negative'
) AS rated
INNER JOIN
(
    SELECT conversation_id, ordinal, text, sources
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND sender = 'assistant'
) AS reply ON reply.conversation_id = rated.conversation_id AND reply.ordinal = rated.ordinal
INNER JOIN
(
    SELECT conversation_id, toUInt32(ordinal + 1) AS reply_ordinal, text, sent_at
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND sender = 'visitor' AND text != ''
) AS question ON question.conversation_id = rated.conversation_id AND question.reply_ordinal = rated.ordinal
GROUP BY
    topic,
    trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(question.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS same
ORDER BY topic_times DESC, topic, times DESC, last_asked_at DESC, same
LIMIT 10 BY topic
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
