-- Answers that the staff teaches from the dashboard, each in one transaction with its event.

CREATE TABLE taught_answers (
    slug            text PRIMARY KEY,
    content_version bigint NOT NULL
);
COMMENT ON TABLE taught_answers IS 'Answers that were taught or taken back from the dashboard, so that an import leaves those alone that are newer than what it brings.';
COMMENT ON COLUMN taught_answers.slug IS 'Names the answer; it may be gone from the table answers.';
COMMENT ON COLUMN taught_answers.content_version IS 'Version of the content since which it is so.';
GRANT SELECT, INSERT, UPDATE ON taught_answers TO bitacora_writer;

-- What was taught is a small part of the log, asked for as a whole and by time.
CREATE INDEX events_of_answers ON events (occurred_at) WHERE starts_with(stream, 'answer/');

-- What visitors asked in a time is found by when their conversations began.
CREATE INDEX events_of_starts ON events (occurred_at) WHERE type = 'ConversationStarted';
