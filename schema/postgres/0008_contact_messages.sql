-- The staff lists contact messages newest first, out of a log that holds mostly chats.
CREATE INDEX events_contact_messages ON events (position) WHERE type = 'ContactMessageReceived';
