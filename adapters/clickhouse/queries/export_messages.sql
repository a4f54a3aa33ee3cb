-- The messages of the conversations that started in [from, to), as far as the filter lets them
-- through, in the order of conversations and of messages in them.
SELECT
    conversation_id,
    conversation_started_at,
    ordinal,
    sent_at,
    sender,
    text,
    topic,
    provider,
    model,
    latency_ms,
    tokens_in,
    tokens_out,
    answered,
    intent,
    confidence,
    runner_up,
    runner_up_confidence,
    answer,
    likelihood,
    next_answer,
    next_likelihood
FROM messages FINAL
WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
  AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
  AND (empty({filter:Map(String, String)}) OR conversation_id IN (
      SELECT conversation_id
      FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
ORDER BY conversation_started_at, conversation_id, ordinal
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
