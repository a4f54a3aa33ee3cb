-- One row a message. A message that is told again (a repeated batch, a rebuild, a text that is
-- masked anew) replaces itself; the later position counts.
CREATE TABLE IF NOT EXISTS {database}.messages
(
    conversation_id         String COMMENT 'Conversation the message belongs to',
    conversation_started_at DateTime64(3, '{zone}') COMMENT 'started_at of the conversation: joins messages to the cohort of a period',
    ordinal                 UInt32 COMMENT 'Place in the conversation: 1, 2, 3 …, both sides counted',
    message_id              UUID COMMENT 'Id of the message''s event in the log',
    sender                  LowCardinality(String) COMMENT 'visitor or assistant',
    text                    String COMMENT 'What was written; contact details, documents and names masked, also what became known later; empty once the person was erased' CODEC(ZSTD(3)),
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
    position                UInt64 COMMENT 'Position in the log of the event that the text is from: the message''s own, or a later masking',

    -- A transcript is asked for by conversation id alone.
    INDEX by_conversation conversation_id TYPE bloom_filter(0.01) GRANULARITY 1,
    -- Conversations are short, so sent_at nearly follows the key: charts by the hour of
    -- sending skip all granules outside their range.
    INDEX by_sent_at sent_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(position)
-- By the conversation's start and not by sent_at: all messages of a conversation, and every
-- version of a message, lie in one partition, beside those of the table conversations.
PARTITION BY toYYYYMM(conversation_started_at)
-- The messages of a period's conversations are one range of the key, and a transcript is a
-- handful of neighbouring rows in reading order. A key that began with the conversation id
-- would scatter every period over the whole table.
ORDER BY (conversation_started_at, conversation_id, ordinal)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    -- What was merged or blanked leaves the disk at once, with the texts of erased people. So
    -- what takes its place has to be on the disk before.
    old_parts_lifetime = 0,
    min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a message of either side. Read it with FINAL: unmerged, a repeated message stands twice'
