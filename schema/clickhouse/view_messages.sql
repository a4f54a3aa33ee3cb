-- The analysts' messages: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.messages
(
    {columns of messages},
    channel LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo' -- of conversations.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of messages},
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM {database}.messages FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a message of either side, its text masked. A period contains those of the conversations that started in it: filter on conversation_started_at. Do not publish texts: masking leaves diagnoses, and what it does not recognize of names and addresses'
