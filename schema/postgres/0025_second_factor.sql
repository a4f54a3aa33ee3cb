-- What people show beside their password, and what operators did in the audit.

CREATE TABLE staff_second_factors (
    account_id   uuid PRIMARY KEY REFERENCES staff_accounts ON DELETE CASCADE,
    sealed       bytea NOT NULL,
    begun_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_at timestamptz,
    last_step    bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE staff_second_factors IS 'Apps that make the codes of accounts.';
COMMENT ON COLUMN staff_second_factors.sealed IS 'The secret, under a key of its own in subject_keys, bound to the account.';
COMMENT ON COLUMN staff_second_factors.begun_at IS 'When this secret was drawn.';
COMMENT ON COLUMN staff_second_factors.confirmed_at IS 'When a first code of it was shown; null: nobody is asked for one yet.';
COMMENT ON COLUMN staff_second_factors.last_step IS 'Step of 30 seconds, counted from 1970, of the latest code that was taken: no older one is.';

CREATE TABLE staff_recovery_codes (
    account_id uuid NOT NULL REFERENCES staff_second_factors ON DELETE CASCADE,
    code_hash  bytea NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (account_id, code_hash)
);
COMMENT ON TABLE staff_recovery_codes IS 'Codes for who has lost the app, each until it is used.';
COMMENT ON COLUMN staff_recovery_codes.code_hash IS 'HMAC-SHA-256 of account and code, under the secret.';

GRANT SELECT, INSERT, UPDATE, DELETE ON staff_second_factors, staff_recovery_codes TO bitacora_writer;

-- The audit tells of operators, too.
DROP INDEX events_of_staff;
CREATE INDEX events_of_staff ON events (occurred_at) WHERE starts_with(stream, 'staff/') OR starts_with(stream, 'operator/');
