-- The analysts' messages: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.messages
(
    conversation_id         String COMMENT 'Conversation the message belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins messages to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place in the conversation: 1, 2, 3 …, both sides counted',
    message_id              UUID COMMENT 'Id of the message''s event in the log',
    sender                  LowCardinality(String) COMMENT 'visitor or assistant',
    text                    String COMMENT 'What was written; contact details, documents and names masked, also what became known later; empty once the person was erased',
    intent                  LowCardinality(String) COMMENT 'What the message that a reply answers was taken for (details: it gave what the dialogue asked for), or the label of an imported message; empty if unknown',
    confidence              Nullable(Float32) COMMENT 'How sure the assistant was of the likeliest intent, 0 to 1: of the intent, or of the runner-up where that is as likely; NULL if unknown, where a rule decided, and for visitors',
    runner_up               LowCardinality(String) COMMENT 'Likeliest intent beside that one; empty if unknown and for visitors',
    runner_up_confidence    Nullable(Float32) COMMENT 'How likely the runner-up was, 0 to 1; NULL if unknown and for visitors',
    answer                  LowCardinality(String) COMMENT 'Slug of the clinic''s answer that a reply gave; empty for none and for visitors',
    likelihood              Nullable(Float32) COMMENT 'How likely that answers the message, 0 to 1; NULL if unknown and for visitors',
    next_answer             LowCardinality(String) COMMENT 'Slug of the answer that came next; empty if unknown and for visitors',
    next_likelihood         Nullable(Float32) COMMENT 'How likely that one was, 0 to 1; NULL if unknown and for visitors',
    topic                   LowCardinality(String) COMMENT 'Topic of a reply; empty if unknown and for visitors',
    provider                LowCardinality(String) COMMENT 'Provider of the model that replied; empty if unknown and for visitors',
    model                   LowCardinality(String) COMMENT 'Model that replied; empty if unknown and for visitors',
    latency_ms              Nullable(UInt32) COMMENT 'Milliseconds the reply took; NULL if unknown and for visitors',
    tokens_in               Nullable(UInt32) COMMENT 'Tokens the model read; NULL if unknown and for visitors',
    tokens_out              Nullable(UInt32) COMMENT 'Tokens the model wrote; NULL if unknown and for visitors',
    answered                Nullable(Bool) COMMENT 'Whether the reply found an answer in the clinic''s content; NULL for visitors',
    sources                 Array(String) COMMENT 'Pieces of content that a reply came from, such as answer/SLUG; empty for visitors',
    sent_at                 DateTime64(3, '{zone}') COMMENT 'When it was sent',
    channel                 LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo',
    position                UInt64 COMMENT 'Position in the log of the event that the text is from: the message''s own, or a later masking'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id,
    conversation_started_at,
    ordinal,
    message_id,
    sender,
    text,
    intent,
    confidence,
    runner_up,
    runner_up_confidence,
    answer,
    likelihood,
    next_answer,
    next_likelihood,
    topic,
    provider,
    model,
    latency_ms,
    tokens_in,
    tokens_out,
    answered,
    sources,
    sent_at,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel,
    position
FROM {database}.messages FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
