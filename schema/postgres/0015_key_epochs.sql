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

DROP FUNCTION append_events;
CREATE FUNCTION append_events(
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
    newest     integer;
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
    known      record;
    s          integer;
    q          integer;
BEGIN
    PERFORM pg_advisory_xact_lock(7310575211900612);
    at := clock_timestamp();
    SELECT coalesce(max(position), 0) INTO head FROM events;
    next := head;
    SELECT key_epoch INTO newest FROM log_epoch WHERE one;

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

    INSERT INTO subject_keys (subject, wrapped_key, key_epoch)
    SELECT s_name[i], s_new_key[i], s_epoch[i]
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
