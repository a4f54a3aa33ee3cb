-- A log that went back in time under a running program: a replica that lagged was promoted, an
-- older copy was swapped in.

-- A program remembers keys for longer than such a log does. Every sealed request brings the key
-- it is sealed under: one that is stored nowhere, or not any more, is stored with the text, and
-- none is accepted under another key than the stream's.
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
    e_metadata       text[]
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
    s_version  integer[];
    s_key      bytea[];
    s_new_key  bytea[];
    s_erased   boolean[];
    q_started  integer[];
    q_taken    integer[] := array_fill(0, ARRAY[cardinality(q_month)]);
    r_known    integer[] := array_fill(0, ARRAY[requests]);
    r_outcome  text[];
    r_position bigint[];
    r_version  integer[];
    known      record;
    s          integer;
    q          integer;
BEGIN
    PERFORM pg_advisory_xact_lock(7310575211900612);
    at := clock_timestamp();
    SELECT coalesce(max(position), 0) INTO head FROM events;
    next := head;

    SELECT array_agg(v.version ORDER BY n.no),
           array_agg(k.wrapped_key ORDER BY n.no),
           array_agg(k.destroyed_at IS NOT NULL ORDER BY n.no)
      INTO s_version, s_key, s_erased
      FROM unnest(s_name) WITH ORDINALITY AS n(name, no)
      LEFT JOIN LATERAL (SELECT coalesce(max(e.version), 0) AS version
                           FROM events e WHERE e.stream = n.name) v ON true
      LEFT JOIN subject_keys k ON k.subject = n.name;

    FOR known IN
        SELECT g.request, count(*)::integer AS events
          FROM unnest(e_id, e_request) AS g(id, request)
          JOIN events e ON e.event_id = g.id
         GROUP BY g.request
    LOOP
        r_known[known.request] := known.events;
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
            END IF;
            IF q IS NOT NULL THEN
                q_taken[q] := q_taken[q] + 1;
            END IF;
            IF r_release[i] IS NOT NULL THEN
                DELETE FROM booked_places WHERE booking = r_release[i];
            END IF;
        END IF;
    END LOOP;

    INSERT INTO subject_keys (subject, wrapped_key)
    SELECT s_name[i], s_new_key[i]
      FROM generate_subscripts(s_new_key, 1) AS i
     WHERE s_new_key[i] IS NOT NULL;

    IF cardinality(q_month) > 0 THEN
        INSERT INTO monthly_quota AS m (month, started)
        SELECT n.month, n.taken FROM unnest(q_month, q_taken) AS n(month, taken) WHERE n.taken > 0
        ON CONFLICT (month) DO UPDATE SET started = m.started + excluded.started;
    END IF;

    IF next > head THEN
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
         WHERE r_outcome[e.request] = 'stored';
        PERFORM pg_notify('bitacora_log', next::text);
    END IF;

    RETURN QUERY SELECT r_outcome[i], r_position[i], r_version[i], at
                   FROM generate_series(1, requests) AS i ORDER BY i;
END
$$;
COMMENT ON FUNCTION append_events IS 'Appends a group of requests and answers each, in order: stored, duplicate, conflict, id reused, erased, key missing, key exists, quota exhausted, slot taken. Arguments are arrays: s_ one element a distinct stream, q_ a distinct month, r_ a request, e_ an event; r_stream, r_quota and e_request are indices from 1, e_nth counts the events of a request from 0. r_key is the wrapped key that a request is sealed under: it is stored where the stream has none, and must be the stream''s where it has one. r_claim takes a place, see take_place; r_release names a booking whose place is given back.';

ALTER TABLE projection_builds
    ADD retries bigint NOT NULL DEFAULT 0,
    ADD retried bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN projection_builds.retries IS 'How often what was parked was begun to be applied. Numbers the retries.';
COMMENT ON COLUMN projection_builds.retried IS 'The last retry whose rows are stored. The tables know it too: a retry moves no position by which it could be told that they were put back.';
