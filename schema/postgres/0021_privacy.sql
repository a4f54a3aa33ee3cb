-- What visitors are told of their data, and how a browser finds what it said.

CREATE TABLE notice (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one),
    version     text NOT NULL,
    title       text NOT NULL,
    description text NOT NULL,
    markdown    text NOT NULL,
    html        text NOT NULL
);
COMMENT ON TABLE notice IS 'At most one row: the page about personal data. Without it the program shows its own.';
COMMENT ON COLUMN notice.one IS 'Always true: holds the table to one row.';
COMMENT ON COLUMN notice.version IS 'Which state of the page it is; events of a consent name it.';
COMMENT ON COLUMN notice.description IS 'One or two sentences.';
COMMENT ON COLUMN notice.markdown IS 'The text as the clinic writes it; may name facts of the clinic such as {{phone1}}.';
COMMENT ON COLUMN notice.html IS 'Made of markdown and sanitised when it was stored; sanitised again when it is read.';
GRANT SELECT, INSERT, DELETE ON notice TO bitacora_writer;

-- A browser shows the secret of its cookie, and asks for the conversations that it began.
CREATE INDEX events_of_browser ON events ((data::jsonb ->> 'resumeHash')) WHERE type = 'ConversationStarted';

-- Requests about personal data are few, and asked for whenever the staff looks at its contacts.
CREATE INDEX events_of_requests ON events (stream, type, position) WHERE type IN ('PrivacyRequestReceived', 'PrivacyRequestDone');
