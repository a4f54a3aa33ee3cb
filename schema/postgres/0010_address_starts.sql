-- What one address begins: how much of the month's conversations it may take.

CREATE TABLE address_starts (
    address  bytea NOT NULL CHECK (length(address) = 32),
    stream   text NOT NULL,
    began_at timestamptz NOT NULL,
    PRIMARY KEY (address, stream)
);
COMMENT ON TABLE address_starts IS 'Conversations that an address began within the past day; older rows are removed.';
COMMENT ON COLUMN address_starts.address IS 'HMAC-SHA256, under a key made from the master key, of the client''s address or IPv6 network; the address itself is nowhere stored.';
COMMENT ON COLUMN address_starts.stream IS 'Stream of the conversation, so that a repeated request counts once.';
-- The latest starts of one address.
CREATE INDEX address_starts_latest ON address_starts (address, began_at);
-- Removal of old rows.
CREATE INDEX address_starts_at ON address_starts (began_at);

CREATE TABLE address_refusals (
    minute timestamptz PRIMARY KEY
);
COMMENT ON TABLE address_refusals IS 'Minutes of the past days in which an address wanted to begin more than it may.';

CREATE FUNCTION address_start(of_address bytea, of_stream text, at timestamptz, hourly integer, daily integer)
RETURNS timestamptz
LANGUAGE plpgsql
AS $$
DECLARE
    free_at timestamptz;
BEGIN
    -- Only those of one address wait for each other.
    PERFORM pg_advisory_xact_lock(731057521, hashtext(of_address::text));
    IF EXISTS (SELECT FROM address_starts s WHERE s.address = of_address AND s.stream = of_stream) THEN
        RETURN NULL;
    END IF;
    SELECT max(bound.free_at) INTO free_at FROM (
        (SELECT s.began_at + interval '1 hour' AS free_at FROM address_starts s
          WHERE s.address = of_address AND s.began_at > at - interval '1 hour'
          ORDER BY s.began_at DESC OFFSET hourly - 1 LIMIT 1)
        UNION ALL
        (SELECT s.began_at + interval '24 hours' FROM address_starts s
          WHERE daily > 0 AND s.address = of_address AND s.began_at > at - interval '24 hours'
          ORDER BY s.began_at DESC OFFSET greatest(daily - 1, 0) LIMIT 1)
    ) AS bound;
    IF free_at IS NULL THEN
        INSERT INTO address_starts (address, stream, began_at) VALUES (of_address, of_stream, at);
    ELSE
        INSERT INTO address_refusals (minute) VALUES (date_trunc('minute', at)) ON CONFLICT DO NOTHING;
    END IF;
    RETURN free_at;
END
$$;
COMMENT ON FUNCTION address_start IS 'Counts a conversation that an address wants to begin, once a stream, and answers NULL; or, where it began as many as it may within an hour or (unless daily is 0) within 24 hours, when it may begin another.';

REVOKE EXECUTE ON FUNCTION address_start FROM PUBLIC;
GRANT EXECUTE ON FUNCTION address_start TO bitacora_writer;
GRANT SELECT, INSERT, DELETE ON address_starts, address_refusals TO bitacora_writer;
