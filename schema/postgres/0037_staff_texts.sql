-- Programs that know 0035_several_processes.sql go on beside it.
-- Texts of the staff are sealed and erased like those of visitors, and people are found by full names.

CREATE INDEX events_skipped ON events (position) WHERE type = 'EventSkipped';

ALTER TABLE subject_index ADD COLUMN kinds integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN subject_index.kinds IS 'Which kinds of identifiers the indexed events were searched for: 1 phone numbers, e-mail addresses and documents, 2 full names as well. A program that knows more indexes the log anew.';
GRANT UPDATE (target, kinds) ON subject_index TO bitacora_writer;
