-- The conversations of each month beside its limit, as far as the log tells of one.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.limit_by_month
(
    month         String COMMENT 'Month of the business zone, as 2026-11', -- of conversations.started_at, chat_refusals.month
    conversations UInt64 COMMENT 'Conversations that started in the month, which take its places', -- of conversations.conversation_id
    refusals      UInt64 COMMENT 'Sessions that found the month full', -- of chat_refusals.position
    monthly_limit Nullable(UInt32) COMMENT 'Conversations that the month allowed at its latest refusal; NULL without a refusal: no other event tells of a limit' -- of chat_refusals.monthly_limit
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    month, sum(talked) AS conversations, sum(refused) AS refusals, argMaxIf(allowed, position, refused > 0) AS monthly_limit
FROM
(
    SELECT formatDateTime(started_at, '%Y-%m') AS month, 1 AS talked, 0 AS refused, NULL::Nullable(UInt32) AS allowed, 0::UInt64 AS position
    FROM {database}.conversations FINAL
    UNION ALL
    SELECT month, 0, 1, monthly_limit, position
    FROM {database}.chat_refusals FINAL
)
GROUP BY month
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a month with conversations or refusals. Do not take a month without a limit for one that had none, nor the limit for that of every day of its month'
