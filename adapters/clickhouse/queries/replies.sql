-- How the models replied; - stands for one that is not known. The first row, with an empty model,
-- is about all of them. The percentiles are interpolated, of the replies whose time is known.
SELECT
    by_provider,
    by_model,
    replies,
    unanswered_replies,
    conversations,
    read_tokens,
    written_tokens,
    latency_ms_p50_p90_p99,
    timed_replies
FROM
(
    -- Counted by model first: grouping sets would go over every reply twice.
    SELECT
        if(grouping(named_model) = 1, '', provider)    AS by_provider,
        if(grouping(named_model) = 1, '', named_model) AS by_model,
        sum(replies_of_model)    AS replies,
        sum(unanswered_of_model) AS unanswered_replies,
        sum(tokens_in_of_model)  AS read_tokens,
        sum(tokens_out_of_model) AS written_tokens,
        sum(timed_of_model)      AS timed_replies,
        quantilesExactInclusiveOrDefaultMerge(0.5, 0.9, 0.99)(latency_of_model) AS latency_ms_p50_p90_p99
    FROM
    (
        SELECT
            provider,
            if(model = '', '-', model) AS named_model,
            count()               AS replies_of_model,
            countIf(NOT answered) AS unanswered_of_model,
            sum(tokens_in)        AS tokens_in_of_model,
            sum(tokens_out)       AS tokens_out_of_model,
            count(latency_ms)     AS timed_of_model,
            quantilesExactInclusiveOrDefaultState(0.5, 0.9, 0.99)(latency_ms) AS latency_of_model
        FROM messages FINAL
        WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
          AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
          AND (empty({filter:Map(String, String)}) OR conversation_id IN (
              SELECT conversation_id
              FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
          AND sender = 'assistant'
        GROUP BY provider, named_model
    )
    GROUP BY GROUPING SETS ((), (provider, named_model))
) AS reply
LEFT JOIN
(
    SELECT if(model = '', '-', model) AS by_model, count() AS conversations
    FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
    ARRAY JOIN models AS model
    GROUP BY by_model
) AS opened
USING (by_model)
ORDER BY by_model != '', replies DESC, by_provider, by_model
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
