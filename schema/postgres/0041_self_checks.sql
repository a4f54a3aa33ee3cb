-- What the program found when it checked the log, the tables and the copy elsewhere by itself.
-- Programs that know 0039_reception.sql go on beside it.

CREATE TABLE self_checks (
    what       text NOT NULL,
    part       smallint NOT NULL,
    of         text NOT NULL,
    through    bigint NOT NULL,
    checked_at timestamptz NOT NULL,
    findings   text[] NOT NULL,
    PRIMARY KEY (what, part)
);
COMMENT ON TABLE self_checks IS 'The latest look at each part of the log, of the live tables and of the copy elsewhere. Each night takes what is new, and one part of the rest.';
COMMENT ON COLUMN self_checks.what IS 'log, tables or copy. rebuilt names the build that was made because tables were wrong.';
COMMENT ON COLUMN self_checks.part IS 'Share of the whole. -1 is what was new, -2 all at once.';
COMMENT ON COLUMN self_checks.of IS 'Epoch of the log, or the build, that was looked at.';
COMMENT ON COLUMN self_checks.through IS 'Position up to which what was new is checked. 0 for a share.';
COMMENT ON COLUMN self_checks.findings IS 'What was wrong, without personal data. Empty: nothing.';
GRANT SELECT, INSERT, UPDATE ON self_checks TO bitacora_writer;
