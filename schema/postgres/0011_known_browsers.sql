-- Browsers that signed in before, which guessing from elsewhere does not slow down.

CREATE TABLE staff_devices (
    token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
    account_id uuid NOT NULL REFERENCES staff_accounts ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (token_hash, account_id)
);
COMMENT ON TABLE staff_devices IS 'Browsers in which an account signed in; several people may share one.';
COMMENT ON COLUMN staff_devices.token_hash IS 'SHA-256 of the cookie''s token, which changes with every sign-in; the token itself is nowhere stored.';
COMMENT ON COLUMN staff_devices.expires_at IS 'When the browser counts as unknown again.';
-- A password change makes all browsers of the account unknown.
CREATE INDEX staff_devices_account ON staff_devices (account_id);

ALTER TABLE login_failures ADD COLUMN device bytea;
COMMENT ON COLUMN login_failures.device IS 'Token hash of a known browser, which has a budget of its own; null: counts for the address.';
CREATE INDEX login_failures_device ON login_failures (device, failed_at) WHERE device IS NOT NULL;

CREATE TABLE unnamed_proxies (
    address text PRIMARY KEY,
    header  text NOT NULL,
    seen_at timestamptz NOT NULL
);
COMMENT ON TABLE unnamed_proxies IS 'Peers that sent a proxy''s header without being named as trusted; kept for a day, for bitacora doctor.';
COMMENT ON COLUMN unnamed_proxies.header IS 'The header''s name.';

GRANT SELECT, INSERT, UPDATE, DELETE ON staff_devices, unnamed_proxies TO bitacora_writer;
