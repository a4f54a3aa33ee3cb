-- What is counted of the conversations by the bucket in which they started. The buckets are
-- given by the instants at which they begin, in milliseconds since 1970, the first being from;
-- those without conversations are missing. Replies and ratings count as in replies and ratings.
SELECT
    counted.bucket AS bucket,
    conversations,
    messages,
    leads,
    appointments,
    total_active_ms,
    replies,
    unanswered_replies,
    positive_ratings,
    negative_ratings
FROM
(
    SELECT
        roundDown(toUnixTimestamp64Milli(started_at), {starts:Array(Int64)}) AS bucket,
        count()              AS conversations,
        sum(message_count)   AS messages,
        countIf(lead)        AS leads,
        countIf(appointment) AS appointments,
        sum(active_ms)       AS total_active_ms,
        sum(message_count) - sum(visitor_messages) AS replies,
        sum(unanswered)      AS unanswered_replies
    FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
    GROUP BY bucket
) AS counted
LEFT JOIN
(
    SELECT
        roundDown(toUnixTimestamp64Milli(conversation_started_at), {starts:Array(Int64)}) AS bucket,
        countIf(rating = 'positive') AS positive_ratings,
        countIf(rating = 'negative') AS negative_ratings
    FROM ratings FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty({filter:Map(String, String)}) OR conversation_id IN (
          SELECT conversation_id
          FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
    GROUP BY bucket
) AS rated
ON rated.bucket = counted.bucket
ORDER BY bucket
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
