-- Who may see the dashboard.

CREATE TABLE staff_accounts (
    id                  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email               text NOT NULL UNIQUE CHECK (email = lower(email)),
    password_hash       text NOT NULL,
    created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    password_changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE staff_accounts IS 'People of the clinic who can sign in.';
COMMENT ON COLUMN staff_accounts.email IS 'Login name, lower case.';
COMMENT ON COLUMN staff_accounts.password_hash IS 'Argon2id in its usual text form, with parameters and salt.';

CREATE TABLE staff_sessions (
    token_hash   bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id   uuid NOT NULL REFERENCES staff_accounts ON DELETE CASCADE,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
COMMENT ON TABLE staff_sessions IS 'Signed-in browsers.';
COMMENT ON COLUMN staff_sessions.token_hash IS 'SHA-256 of the cookie''s token; the token itself is nowhere stored.';
COMMENT ON COLUMN staff_sessions.last_seen_at IS 'Last request, to the minute; a session that idles too long has ended.';
COMMENT ON COLUMN staff_sessions.expires_at IS 'The absolute end, however busy the session is.';
-- A password change ends all sessions of the account.
CREATE INDEX staff_sessions_account ON staff_sessions (account_id);

CREATE TABLE login_failures (
    email     text NOT NULL,
    address   text NOT NULL,
    failed_at timestamptz NOT NULL
);
COMMENT ON TABLE login_failures IS 'Recent failed logins, counted to slow guessing down; old rows are removed as new ones come.';
COMMENT ON COLUMN login_failures.email IS 'The name that was tried, whether or not it has an account.';
COMMENT ON COLUMN login_failures.address IS 'Client address.';
-- Both counts ask for one address within a short window.
CREATE INDEX login_failures_address ON login_failures (address, failed_at);
-- Removal of old rows.
CREATE INDEX login_failures_at ON login_failures (failed_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON staff_accounts, staff_sessions, login_failures TO bitacora_writer;
