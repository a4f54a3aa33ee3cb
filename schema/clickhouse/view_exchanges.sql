-- What visitors said and what came back, in one row: of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.exchanges
(
    conversation_id         String COMMENT 'Conversation that the messages belong to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins exchanges to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place of the visitor''s message in the conversation; that of its reply is the next one', -- of messages.ordinal
    asked_at                DateTime64(3, '{zone}') COMMENT 'When the visitor''s message was sent', -- of messages.sent_at
    asked                   String COMMENT 'What the visitor wrote, masked as text of messages', -- of messages.text
    replied_at              Nullable(DateTime64(3, '{zone}')) COMMENT 'When the reply was sent; NULL if none came', -- of messages.sent_at
    replied                 String COMMENT 'What the assistant wrote, masked as text of messages; empty if nothing', -- of messages.text
    intent                  LowCardinality(String) COMMENT 'What the visitor''s message was taken for; empty if unknown',
    topic                   LowCardinality(String) COMMENT 'Topic of the reply; empty if unknown',
    answer                  LowCardinality(String) COMMENT 'Slug of the clinic''s answer that the reply gave; empty for none',
    answered                Nullable(Bool) COMMENT 'Whether the reply found an answer in the clinic''s content; NULL without a reply',
    channel                 LowCardinality(String) COMMENT 'Where the conversation came from: web, import, demo' -- of conversations.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    conversation_id, conversation_started_at, ordinal, sent_at AS asked_at, text AS asked,
    if(next_sender = 'assistant', next_sent_at, NULL) AS replied_at,
    if(next_sender = 'assistant', next_text, '') AS replied,
    if(next_sender = 'assistant', next_intent, '')::LowCardinality(String) AS intent,
    if(next_sender = 'assistant', next_topic, '')::LowCardinality(String) AS topic,
    if(next_sender = 'assistant', next_answer, '')::LowCardinality(String) AS answer,
    if(next_sender = 'assistant', next_answered, NULL) AS answered,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM
(
    SELECT
        conversation_id, conversation_started_at, ordinal, sender, sent_at, text,
        leadInFrame(toString(sender)) OVER next AS next_sender,
        leadInFrame(sent_at) OVER next AS next_sent_at,
        leadInFrame(text) OVER next AS next_text,
        leadInFrame(toString(intent)) OVER next AS next_intent,
        leadInFrame(toString(topic)) OVER next AS next_topic,
        leadInFrame(toString(answer)) OVER next AS next_answer,
        leadInFrame(answered) OVER next AS next_answered
    FROM {database}.messages FINAL
    WINDOW next AS (PARTITION BY conversation_started_at, conversation_id ORDER BY ordinal ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)
)
WHERE sender = 'visitor'
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a message of a visitor, with the reply to it. Do not count rows as messages: replies have no rows of their own, and a message that got none has an empty one. Publish no texts, as of messages'
