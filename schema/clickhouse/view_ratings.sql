-- The analysts' ratings: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.ratings
(
    {columns of ratings},
    channel LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo' -- of conversations.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of ratings},
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM {database}.ratings FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a rated reply, with the visitor''s last word on it. Do not take ratings for a sample: few visitors rate. Join messages by conversation_id and ordinal'
