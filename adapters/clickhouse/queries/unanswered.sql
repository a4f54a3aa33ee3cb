-- Topics on which replies knew no answer; - stands for replies without a topic. The first row,
-- with an empty topic, is about all of them.
SELECT
    if(grouping(named_topic) = 1, '', named_topic) AS topic,
    count()                                        AS replies,
    uniqExact(conversation_id)                     AS conversations,
    max(sent_at)                                   AS last_asked_at
FROM
(
    SELECT if(topic = '', '-', topic) AS named_topic, conversation_id, sent_at
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
      AND NOT answered
)
GROUP BY GROUPING SETS ((), (named_topic))
ORDER BY topic != '', replies DESC, topic
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
