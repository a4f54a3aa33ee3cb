-- What the assistant answers. Editors change it with bitacora content export and import.

CREATE TABLE answers (
    slug      text PRIMARY KEY,
    topic     text NOT NULL,
    service   text NOT NULL,
    aspect    text NOT NULL,
    open      boolean NOT NULL,
    questions text[] NOT NULL,
    answer    text NOT NULL,
    english   text NOT NULL,
    place     integer NOT NULL CHECK (place > 0)
);
COMMENT ON TABLE answers IS 'What the assistant answers to which questions. Without any row, those that the program brings along count.';
COMMENT ON COLUMN answers.slug IS 'Names the answer.';
COMMENT ON COLUMN answers.topic IS 'What it is about, and the name of its file.';
COMMENT ON COLUMN answers.service IS 'Slug of the service that it is about; empty for none.';
COMMENT ON COLUMN answers.aspect IS 'What it tells of its subject (costo, dolor, duracion …); empty for none.';
COMMENT ON COLUMN answers.open IS 'Whether the clinic has not told the answer, so that the question can only be passed on.';
COMMENT ON COLUMN answers.questions IS 'Ways to ask.';
COMMENT ON COLUMN answers.answer IS 'Spanish text; may name facts of the clinic such as {{phones}}.';
COMMENT ON COLUMN answers.english IS 'The same in English; empty for none.';
COMMENT ON COLUMN answers.place IS 'Place in the list, 1 first.';

GRANT SELECT, INSERT, DELETE ON answers TO bitacora_writer;
