-- What the assistant's provider was used for, so that a day's budget holds for all processes together.

CREATE TABLE provider_usage (
    day        date PRIMARY KEY,
    tokens_in  bigint NOT NULL CHECK (tokens_in >= 0),
    tokens_out bigint NOT NULL CHECK (tokens_out >= 0)
);
COMMENT ON TABLE provider_usage IS 'What the assistant''s provider charged for, whether its readings were used or not.';
COMMENT ON COLUMN provider_usage.day IS 'Day of the business zone.';
COMMENT ON COLUMN provider_usage.tokens_in IS 'Tokens of what it was asked.';
COMMENT ON COLUMN provider_usage.tokens_out IS 'Tokens of what it answered.';

GRANT SELECT, INSERT, UPDATE ON provider_usage TO bitacora_writer;
