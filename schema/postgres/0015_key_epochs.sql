-- Key epochs: the keys of subjects are wrapped by the key of an epoch, which is kept outside of the
-- database. A rotation wraps those that are left anew, under the next epoch's key, and the one
-- before is destroyed: what copies of this database hold of an erased subject opens to nobody.

CREATE TABLE key_epochs (
    key_epoch  integer PRIMARY KEY CHECK (key_epoch >= 0),
    key_check  bytea,
    begun_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    rotated_at timestamptz,
    survivors  integer,
    erased     integer,
    CHECK ((rotated_at IS NULL) = (survivors IS NULL) AND (rotated_at IS NULL) = (erased IS NULL))
);
COMMENT ON TABLE key_epochs IS 'One row a key epoch. Its key is in the keys directory, until the next epoch has begun and holds all that is left.';
COMMENT ON COLUMN key_epochs.key_epoch IS 'Number of the epoch. The first is 0.';
COMMENT ON COLUMN key_epochs.key_check IS 'Digest of the epoch''s key, by which a wrong one is noticed at start. Null until a program has opened the log.';
COMMENT ON COLUMN key_epochs.begun_at IS 'When keys began to be wrapped under the epoch''s key.';
COMMENT ON COLUMN key_epochs.rotated_at IS 'When the rotation to this epoch was done: the key of the epoch before was destroyed. Null while it is under way, and of the first epoch.';
COMMENT ON COLUMN key_epochs.survivors IS 'How many subjects'' keys the rotation found alive.';
COMMENT ON COLUMN key_epochs.erased IS 'How many subjects had been erased in the epoch before: the rotation has made that provable.';
INSERT INTO key_epochs (key_epoch, key_check) SELECT 0, master_key_check FROM log_epoch;

ALTER TABLE log_epoch
    DROP master_key_check,
    ADD key_epoch integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN log_epoch.key_epoch IS 'The newest key epoch: nothing is wrapped under an older one any more.';

ALTER TABLE subject_keys ADD key_epoch integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN subject_keys.key_epoch IS 'The epoch whose key wraps this one; of a destroyed key, the newest one when that was done, with the end of which nobody can open it.';
COMMENT ON COLUMN subject_keys.wrapped_key IS 'The key, sealed by the key of its epoch from outside the database. Null once destroyed.';

-- Who wrote under a phone number, an e-mail address or a document's number.
CREATE TABLE subject_terms (
    subject   text NOT NULL,
    key_epoch integer NOT NULL,
    term      bytea NOT NULL,
    sealed    bytea NOT NULL,
    PRIMARY KEY (subject, term)
);
CREATE INDEX subject_terms_by_term ON subject_terms (term);
COMMENT ON TABLE subject_terms IS 'Blind index: by which phone numbers, e-mail addresses and documents a subject is found. Written with the events they stand in; goes with the subject''s key.';
COMMENT ON COLUMN subject_terms.subject IS 'The stream in whose events it stands.';
COMMENT ON COLUMN subject_terms.key_epoch IS 'The epoch from whose key the term was made.';
COMMENT ON COLUMN subject_terms.term IS 'HMAC-SHA-256 of the kind and the normalised value, under a key derived from the epoch''s: nobody can try values on it without that.';
COMMENT ON COLUMN subject_terms.sealed IS 'Kind and value, sealed under the subject''s key, so that a rotation can make the next epoch''s term.';

CREATE TABLE subject_index (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    through bigint NOT NULL DEFAULT 0,
    target  bigint NOT NULL
);
COMMENT ON TABLE subject_index IS 'One row: how far the events are indexed that were in the log before there was an index.';
COMMENT ON COLUMN subject_index.one IS 'Always true: holds the table to one row.';
COMMENT ON COLUMN subject_index.through IS 'Position through which they are.';
COMMENT ON COLUMN subject_index.target IS 'Position of the last of them.';
INSERT INTO subject_index (target) SELECT coalesce(max(position), 0) FROM events;

GRANT SELECT, INSERT, UPDATE ON key_epochs TO bitacora_writer;
GRANT UPDATE (key_epoch) ON log_epoch TO bitacora_writer;
GRANT UPDATE (key_epoch) ON subject_keys TO bitacora_writer;
GRANT SELECT, INSERT, DELETE, UPDATE ON subject_terms TO bitacora_writer;
GRANT SELECT, UPDATE (through) ON subject_index TO bitacora_writer;

-- append_events, which 0036_log_chain.sql replaces, has left this file; the digest stays that of before.
-- Digest: 5044726131b5f46378a4a3c823f2f26dd1fbb48580c551ab95c693d7aa0282be
DROP FUNCTION IF EXISTS append_events;
