-- What visitors think of replies, by the reply's topic; - stands for replies without one. The
-- first row, with an empty topic, is about all of them. The topics are ordered by the lower bound
-- of Wilson's 95 % interval (z = 1.96) of their share of negative ratings, so that few ratings do
-- not outrank many.
SELECT
    if(grouping(named_topic) = 1, '', named_topic) AS topic,
    countIf(rating = 'positive')                   AS positive_ratings,
    countIf(rating = 'negative')                   AS negative_ratings,
    uniqExactIf(conversation_id, rating = 'positive') AS pleased_conversations,
    uniqExactIf(conversation_id, rating = 'negative') AS displeased_conversations
FROM
(
    SELECT if(topic = '', '-', topic) AS named_topic, conversation_id, rating
    FROM ratings FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
      AND rating != 'none'
)
GROUP BY GROUPING SETS ((), (named_topic))
ORDER BY
    topic != '',
    (negative_ratings + 1.96 * 1.96 / 2 - 1.96 * sqrt(negative_ratings * positive_ratings / (negative_ratings + positive_ratings) + 1.96 * 1.96 / 4))
        / (negative_ratings + positive_ratings + 1.96 * 1.96) DESC,
    topic
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
