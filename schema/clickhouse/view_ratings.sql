-- The analysts' ratings: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.ratings
(
    conversation_id         String COMMENT 'Conversation the reply belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins ratings to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place of the rated reply in the conversation, as in messages',
    topic                   LowCardinality(String) COMMENT 'Topic of the reply; empty if unknown',
    rating                  LowCardinality(String) COMMENT 'positive, negative, or none where it was taken back',
    rated_at                DateTime64(3, '{zone}') COMMENT 'When the visitor said so last',
    channel                 LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo',
    position                UInt64 COMMENT 'Position of the event in the log'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id,
    conversation_started_at,
    ordinal,
    topic,
    rating,
    rated_at,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel,
    position
FROM {database}.ratings FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
