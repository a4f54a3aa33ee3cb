-- The benchmark's rows in Postgres, with an index for each question of bench_postgres_questions.sql.
CREATE SCHEMA bench;
CREATE TABLE conversations (
    conversation_id text, started_at timestamptz, message_count int, active_ms bigint, lead bool, appointment bool,
    cancelled bool, consent bool, flagged bool, topics text[], unanswered bool, failed bool
);
CREATE TABLE messages (
    conversation_id text, started_at timestamptz, ordinal int, sender text, text text, topic text, model text,
    latency_ms int, tokens_in int, tokens_out int, answered bool, sent_at timestamptz
);
CREATE INDEX ON conversations (started_at, conversation_id)
    INCLUDE (message_count, active_ms, lead, appointment, cancelled, consent, flagged, unanswered, failed);
CREATE INDEX ON conversations (started_at) INCLUDE (topics, lead, appointment, unanswered);
CREATE INDEX ON messages (started_at) INCLUDE (model, latency_ms, tokens_in, tokens_out, answered) WHERE sender = 'assistant';
CREATE INDEX ON messages (started_at) INCLUDE (conversation_id, ordinal) WHERE sender = 'assistant' AND NOT answered;
CREATE INDEX ON messages (conversation_id, ordinal)
