-- What an account may do, where it is signed in, and what it did.

ALTER TABLE staff_accounts ADD COLUMN role text NOT NULL DEFAULT 'staff' CHECK (role IN ('staff', 'owner', 'reader'));
COMMENT ON COLUMN staff_accounts.role IS 'staff does the work of the clinic, owner also manages accounts, reader sees numbers alone.';

ALTER TABLE staff_sessions
    ADD COLUMN id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    ADD COLUMN browser text NOT NULL DEFAULT '';
COMMENT ON COLUMN staff_sessions.id IS 'Names the session to people, who must not see its secret.';
COMMENT ON COLUMN staff_sessions.browser IS 'Family of the browser and its system, for people to tell their sessions apart; empty where it is not known.';

-- What accounts did is asked for by time; of the log, it is a small part.
CREATE INDEX events_of_staff ON events (occurred_at) WHERE starts_with(stream, 'staff/');
