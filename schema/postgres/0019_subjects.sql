-- What was begun with the data of persons and is not done everywhere yet, and how what was done
-- with them is found.

CREATE TABLE subject_tasks (
    subject         text PRIMARY KEY,
    action          text NOT NULL CHECK (action IN ('erase', 'restrict', 'release')),
    by_whom         text NOT NULL,
    reason          text NOT NULL,
    cancel_bookings boolean NOT NULL DEFAULT false,
    begun_at        timestamptz(3) NOT NULL,
    position        bigint
);
COMMENT ON TABLE subject_tasks IS 'Subjects that are being erased, restricted or released: noted before the first step, removed after the last one, and gone on with by any process.';
COMMENT ON COLUMN subject_tasks.subject IS 'The stream that the subject is.';
COMMENT ON COLUMN subject_tasks.action IS 'erase: its key is destroyed and every table loses its texts; restrict: the tables lose them; release: they get them back.';
COMMENT ON COLUMN subject_tasks.by_whom IS 'Account, operator or visitor, as in the event.';
COMMENT ON COLUMN subject_tasks.reason IS 'One of the words that the event knows.';
COMMENT ON COLUMN subject_tasks.cancel_bookings IS 'An appointment to come is cancelled first.';
COMMENT ON COLUMN subject_tasks.begun_at IS 'When it was asked for.';
COMMENT ON COLUMN subject_tasks.position IS 'Of the event that tells of it; null as long as there is none. Tables that have applied it get no text of the subject any more.';

-- What was done with persons as a whole is asked for by time, and by subject where one is
-- restricted; of the log, it is a small part.
CREATE INDEX events_of_subjects ON events (occurred_at) WHERE type IN ('SubjectErased', 'SubjectExported', 'SubjectRestricted');
CREATE INDEX restricted_subjects ON events (stream, version) WHERE type = 'SubjectRestricted';

GRANT SELECT, INSERT, UPDATE, DELETE ON subject_tasks TO bitacora_writer;
