-- The analysts' labels: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.labels
(
    conversation_id         String COMMENT 'Conversation the message belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins labels to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place of the labelled message in the conversation, as in messages',
    kind                    LowCardinality(String) COMMENT 'intent: it has the intent of label; answer: the clinic''s answer of label answers it; off-topic; skipped: nothing is to be learned from it',
    label                   LowCardinality(String) COMMENT 'Name of the intent or slug of the answer; empty for other kinds',
    labelled_at             DateTime64(3, '{zone}') COMMENT 'When the staff said so last',
    channel                 LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo',
    position                UInt64 COMMENT 'Position of the event in the log'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id,
    conversation_started_at,
    ordinal,
    kind,
    label,
    labelled_at,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel,
    position
FROM {database}.labels FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
