-- Each group of events is chained to the events before it, so that a change of the log is noticed
-- although whoever made it owns the database: an anchor, the position and hash of a link that is
-- kept elsewhere, no longer fits.
-- Digest: 5c2deedd00dfa9027e4d479f5b2358a9549560e64bda11ae3b8f6d4e53abdc7b

CREATE TABLE log_chain (
    position bigint PRIMARY KEY,
    epoch    uuid NOT NULL,
    hash     bytea NOT NULL CHECK (length(hash) = 32)
);
COMMENT ON TABLE log_chain IS 'One row an append group: the hash over its events and everything before them. A row of another epoch than the row before begins a segment: the log was adopted, and continues that row. Append-only by role and by trigger; written by append_events and chain_events alone.';
COMMENT ON COLUMN log_chain.position IS 'Position of the group''s last event. The group begins after the position of the row before.';
COMMENT ON COLUMN log_chain.epoch IS 'Epoch of the log when the group was chained.';
COMMENT ON COLUMN log_chain.hash IS 'See chain_hash.';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_chain
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON log_chain TO bitacora_writer;

ALTER TABLE log_epoch ADD COLUMN unchained_through bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN log_epoch.unchained_through IS 'Position of the last event that was appended before there was a chain. Such events were chained later: a change made before that is not noticed.';
UPDATE log_epoch SET unchained_through = (SELECT coalesce(max(position), 0) FROM events);

CREATE FUNCTION chained_form(
    at bigint, version integer, schema_version smallint, occurred_at timestamptz, recorded_at timestamptz,
    stream text, type text, data text, sealed text, metadata text, payload_hash bytea
) RETURNS bytea LANGUAGE sql STABLE
RETURN record_send(ROW(at, version, schema_version, occurred_at, recorded_at, payload_hash, metadata,
    octet_length(stream), octet_length(type), octet_length(data), octet_length(sealed)));
COMMENT ON FUNCTION chained_form IS 'How an event enters the chain: in the binary form of a record, which gives each column its type and length, and null a length of its own. The columns that are missing stand in payload_hash; the lengths hold their borders there.';

CREATE FUNCTION chain_hash(former bytea, forms bytea, epoch uuid) RETURNS bytea LANGUAGE sql STABLE
RETURN sha256(coalesce(former, decode(repeat('00', 32), 'hex')) || forms || uuid_send(epoch));
COMMENT ON FUNCTION chain_hash IS 'Hash of a group: SHA-256 over the hash of the row before (of the first row: 32 zero bytes), the chained_form of each event in order of position, and the epoch.';

CREATE FUNCTION chain_events() RETURNS log_chain
LANGUAGE plpgsql
AS $$
DECLARE
    former log_chain;
    last   log_chain;
BEGIN
    PERFORM pg_advisory_xact_lock(7310575211900612);
    SELECT * INTO former FROM log_chain ORDER BY position DESC LIMIT 1;
    INSERT INTO log_chain AS c
    SELECT g.position, l.epoch, chain_hash(former.hash, g.forms, l.epoch)
      FROM log_epoch l
     CROSS JOIN (SELECT max(position) AS position,
                        string_agg(chained_form(position, version, schema_version, occurred_at, recorded_at, stream, type, data, sealed, metadata, payload_hash),
                                   '' ORDER BY position) AS forms
                   FROM (SELECT * FROM events WHERE position > coalesce(former.position, 0) ORDER BY position LIMIT 2000) e) g
     WHERE g.position IS NOT NULL
    RETURNING c.* INTO last;
    IF FOUND THEN
        RETURN last;
    END IF;
    RETURN former;
END
$$;
COMMENT ON FUNCTION chain_events IS 'Chains the next events that are in no group yet, at most 2000 because it holds the append lock, as one group. Gives the last row of the chain.';

-- The one way into the log. A call carries a group of requests of different callers; each
-- is stored whole or not at all, and none disturbs another.
--
-- The steps are separate statements on purpose: under READ COMMITTED each takes its
-- snapshot after the lock was granted, and so sees what the previous holder committed. One
-- statement with CTEs would look for duplicates in a snapshot from before the lock.
--
-- Joining against arrays, the planner cannot know that the log will grow to millions of rows
-- during the life of a cached plan: it is told to go by index always. Nor is it to plan anew
-- on every call, because arrays of known length look cheaper than unknown ones: measured,
-- that was more than half of an append's time in the function.
--
-- A program remembers keys for longer than such a log does. Every sealed request brings the key
-- it is sealed under: one that is stored nowhere, or not any more, is stored with the text, and
-- none is accepted under another key than the stream's.
--
-- The group is chained in the statement that stores it, and what was asked for by statements of its own
-- is asked for with others.
CREATE OR REPLACE FUNCTION append_events(
    s_name           text[],
    q_month          text[],
    r_stream         integer[],
    r_expected       integer[],
    r_events         integer[],
    r_sealed         boolean[],
    r_key            bytea[],
    r_quota          integer[],
    r_limit          integer[],
    r_claim          jsonb[],
    r_release        text[],
    e_request        integer[],
    e_nth            integer[],
    e_id             uuid[],
    e_type           text[],
    e_schema_version smallint[],
    e_occurred_at    timestamptz[],
    e_data           text[],
    e_sealed         text[],
    e_metadata       text[],
    r_epoch          integer[] DEFAULT '{}',
    r_key_epoch      integer[] DEFAULT '{}',
    t_request        integer[] DEFAULT '{}',
    t_term           bytea[] DEFAULT '{}',
    t_sealed         bytea[] DEFAULT '{}'
) RETURNS TABLE (outcome text, first_position bigint, first_version integer, recorded timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    requests   integer := cardinality(r_stream);
    head       bigint;
    next       bigint;
    at         timestamptz;
    log        uuid;
    newest     integer;
    chained    bigint;
    former     bytea;
    s_version  integer[];
    s_key      bytea[];
    s_new_key  bytea[];
    s_epoch    integer[];
    s_erased   boolean[];
    q_started  integer[];
    q_taken    integer[] := array_fill(0, ARRAY[cardinality(q_month)]);
    r_known    integer[] := array_fill(0, ARRAY[requests]);
    r_outcome  text[];
    r_position bigint[];
    r_version  integer[];
    k_request  integer[];
    k_events   integer[];
    s          integer;
    q          integer;
BEGIN
    PERFORM pg_advisory_xact_lock(7310575211900612);
    at := clock_timestamp();
    SELECT coalesce((SELECT max(position) FROM events), 0), l.epoch, l.key_epoch, c.position, c.hash
      INTO head, log, newest, chained, former
      FROM log_epoch l
      LEFT JOIN LATERAL (SELECT * FROM log_chain ORDER BY position DESC LIMIT 1) c ON true;
    next := head;
    IF coalesce(chained, 0) < head THEN
        SELECT c.position, c.hash INTO chained, former FROM chain_events() AS c;
    END IF;

    SELECT s.versions, s.keys, s.erased, k.requests, k.events
      INTO s_version, s_key, s_erased, k_request, k_events
      FROM (SELECT array_agg(v.version ORDER BY n.no) AS versions,
                   array_agg(k.wrapped_key ORDER BY n.no) AS keys,
                   array_agg(k.destroyed_at IS NOT NULL ORDER BY n.no) AS erased
              FROM unnest(s_name) WITH ORDINALITY AS n(name, no)
              LEFT JOIN LATERAL (SELECT coalesce(max(e.version), 0) AS version
                                   FROM events e WHERE e.stream = n.name) v ON true
              LEFT JOIN subject_keys k ON k.subject = n.name) s
     CROSS JOIN (SELECT array_agg(g.request) AS requests, array_agg(g.events) AS events
                   FROM (SELECT g.request, count(*)::integer AS events
                           FROM unnest(e_id, e_request) AS g(id, request)
                           JOIN events e ON e.event_id = g.id
                          GROUP BY g.request) g) k;

    FOR i IN 1 .. coalesce(cardinality(k_request), 0) LOOP
        r_known[k_request[i]] := k_events[i];
    END LOOP;

    IF cardinality(q_month) > 0 THEN
        SELECT array_agg(coalesce(m.started, 0) ORDER BY n.no) INTO q_started
          FROM unnest(q_month) WITH ORDINALITY AS n(month, no)
          LEFT JOIN monthly_quota m ON m.month = n.month;
    END IF;

    FOR i IN 1 .. requests LOOP
        s := r_stream[i];
        q := r_quota[i];
        r_position[i] := 0;
        r_version[i] := 0;
        IF r_known[i] = r_events[i] THEN
            r_outcome[i] := 'duplicate';
        ELSIF r_expected[i] >= 0 AND r_expected[i] <> s_version[s] THEN
            r_outcome[i] := 'conflict';
        ELSIF r_known[i] > 0 THEN
            r_outcome[i] := 'id reused';
        ELSIF r_sealed[i] AND s_erased[s] THEN
            r_outcome[i] := 'erased';
        ELSIF r_sealed[i] AND coalesce(r_key[i], s_key[s]) IS NULL THEN
            r_outcome[i] := 'key missing';
        ELSIF r_sealed[i] AND (coalesce(r_epoch[i], 0) < newest OR s_key[s] IS NULL AND coalesce(r_key_epoch[i], 0) < newest) THEN
            r_outcome[i] := 'key outdated';
        ELSIF r_key[i] <> s_key[s] THEN
            r_outcome[i] := 'key exists';
        ELSIF q IS NOT NULL AND q_started[q] + q_taken[q] >= r_limit[i] THEN
            r_outcome[i] := 'quota exhausted';
        ELSIF r_claim[i] IS NOT NULL AND NOT take_place(r_claim[i], r_release[i]) THEN
            r_outcome[i] := 'slot taken';
        ELSE
            r_outcome[i] := 'stored';
            r_position[i] := next + 1;
            r_version[i] := s_version[s] + 1;
            next := next + r_events[i];
            s_version[s] := s_version[s] + r_events[i];
            IF s_key[s] IS NULL AND r_sealed[i] THEN
                s_key[s] := r_key[i];
                s_new_key[s] := r_key[i];
                s_epoch[s] := coalesce(r_key_epoch[i], 0);
            END IF;
            IF q IS NOT NULL THEN
                q_taken[q] := q_taken[q] + 1;
            END IF;
            IF r_release[i] IS NOT NULL THEN
                DELETE FROM booked_places WHERE booking = r_release[i];
            END IF;
        END IF;
    END LOOP;

    IF s_new_key IS NOT NULL THEN
        INSERT INTO subject_keys (subject, wrapped_key, key_epoch)
        SELECT s_name[i], s_new_key[i], s_epoch[i]
          FROM generate_subscripts(s_new_key, 1) AS i
         WHERE s_new_key[i] IS NOT NULL;
    END IF;

    IF cardinality(q_month) > 0 THEN
        INSERT INTO monthly_quota AS m (month, started)
        SELECT n.month, n.taken FROM unnest(q_month, q_taken) AS n(month, taken) WHERE n.taken > 0
        ON CONFLICT (month) DO UPDATE SET started = m.started + excluded.started;
    END IF;

    IF next > head THEN
        -- What is not chained yet of an older log is chained before this group is.
        WITH stored AS (
            INSERT INTO events (position, event_id, stream, version, type, schema_version,
                                occurred_at, recorded_at, data, sealed, metadata, payload_hash)
            SELECT r_position[e.request] + e.nth, e.id, n.stream, n.version, e.type, e.schema_version,
                   e.occurred_at, at, e.data, e.sealed, e.metadata,
                   stored_event_hash(e.id, n.stream, n.version, e.type, e.schema_version,
                                     e.occurred_at, e.data, e.sealed)
              FROM unnest(e_request, e_nth, e_id, e_type, e_schema_version, e_occurred_at, e_data, e_sealed, e_metadata)
                       AS e(request, nth, id, type, schema_version, occurred_at, data, sealed, metadata)
             CROSS JOIN LATERAL (SELECT s_name[r_stream[e.request]] AS stream,
                                        r_version[e.request] + e.nth AS version) n
             WHERE r_outcome[e.request] = 'stored'
            RETURNING position, chained_form(position, version, schema_version, occurred_at, recorded_at, stream, type, data, sealed, metadata, payload_hash) AS form
        )
        INSERT INTO log_chain (position, epoch, hash)
        SELECT next, log, chain_hash(former, string_agg(form, '' ORDER BY position), log)
          FROM stored
        HAVING coalesce(chained, 0) = head;
        PERFORM pg_notify('bitacora_log', next::text);
    END IF;

    IF cardinality(t_request) > 0 THEN
        INSERT INTO subject_terms (subject, key_epoch, term, sealed)
        SELECT s_name[r_stream[t.request]], r_epoch[t.request], t.term, t.sealed
          FROM unnest(t_request, t_term, t_sealed) AS t(request, term, sealed)
         WHERE r_outcome[t.request] = 'stored'
        ON CONFLICT DO NOTHING;
    END IF;

    RETURN QUERY SELECT r_outcome[i], r_position[i], r_version[i], at
                   FROM generate_series(1, requests) AS i ORDER BY i;
END
$$;
COMMENT ON FUNCTION append_events IS 'Appends a group of requests and answers each, in order: stored, duplicate, conflict, id reused, erased, key missing, key outdated, key exists, quota exhausted, slot taken. Arguments are arrays: s_ one element a distinct stream, q_ a distinct month, r_ a request, e_ an event, t_ a term of subject_terms; r_stream, r_quota, e_request and t_request are indices from 1, e_nth counts the events of a request from 0. r_key is the wrapped key that a request is sealed under: it is stored where the stream has none, and must be the stream''s where it has one. r_epoch is the newest key epoch that the request''s program knows and of which its terms are, r_key_epoch that of the key by which r_key is wrapped: nothing sealed is taken of a program that knows an older one. r_claim takes a place, see take_place; r_release names a booking whose place is given back.';
