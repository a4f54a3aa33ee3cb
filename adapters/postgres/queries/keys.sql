-- name: begin_key_epoch
UPDATE log_epoch SET key_epoch = greatest(key_epoch, $1)

-- name: bind_keys
INSERT INTO key_epochs (key_epoch, key_check) VALUES ($1, $2)
ON CONFLICT (key_epoch) DO UPDATE SET key_check = coalesce(key_epochs.key_check, excluded.key_check)
RETURNING key_check

-- name: dump_header
SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT coalesce(max(position), 0) FROM events)

-- name: erased
SELECT subject FROM subject_keys WHERE destroyed_at IS NOT NULL ORDER BY subject

-- name: key_state
SELECT e.key_epoch,
       (SELECT count(*) FROM subject_keys WHERE destroyed_at IS NOT NULL AND key_epoch = e.key_epoch),
       EXISTS (SELECT FROM key_epochs WHERE key_epoch < e.key_epoch AND key_check IS NOT NULL)
           AND NOT EXISTS (SELECT FROM key_epochs WHERE key_epoch = e.key_epoch AND rotated_at IS NOT NULL),
       coalesce(l.key_epoch, 0), coalesce(l.survivors, 0), coalesce(l.erased, 0), l.rotated_at
  FROM log_epoch e
  LEFT JOIN LATERAL (SELECT key_epoch, survivors, erased, rotated_at FROM key_epochs
                      WHERE rotated_at IS NOT NULL ORDER BY key_epoch DESC LIMIT 1) l ON true

-- name: keys_give_up
INSERT INTO subject_keys (subject, wrapped_key, destroyed_at, key_epoch)
SELECT subject, NULL, clock_timestamp(), (SELECT key_epoch FROM log_epoch) FROM lost_keys
ON CONFLICT (subject) DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at, key_epoch = excluded.key_epoch

-- name: keys_lost
-- Subjects of sealed events whose key is not there, and those whose key none of the key epochs
-- opens; none of them was erased.
CREATE TEMPORARY TABLE lost_keys ON COMMIT DROP AS
SELECT stream AS subject
  FROM (SELECT DISTINCT stream FROM events WHERE sealed IS NOT NULL) AS sealed
 WHERE NOT EXISTS (SELECT FROM subject_keys k WHERE k.subject = sealed.stream)
UNION ALL
SELECT subject FROM subject_keys WHERE destroyed_at IS NULL AND key_epoch <> ALL ($1)

-- name: keys_outdated
-- The limit is a constant: a plan for any limit reads and sorts the whole table.
SELECT subject, wrapped_key, key_epoch FROM subject_keys
 WHERE subject > $1 AND wrapped_key IS NOT NULL AND key_epoch < $2
 ORDER BY subject LIMIT 1000

-- name: keys_rewrap
UPDATE subject_keys k SET wrapped_key = n.fresh, key_epoch = $1
  FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS n(subject, old, fresh)
 WHERE k.subject = n.subject AND k.wrapped_key = n.old

-- name: keys_wanted
-- The newest key epoch whose key the database or the bundle needs.
SELECT greatest((SELECT key_epoch FROM log_epoch), (SELECT max(key_epoch) FROM bundled_keys WHERE destroyed_at IS NULL))

-- name: old_copy
-- Whether a rotation was under way when the database was as it is now, and has ended since.
SELECT CASE WHEN EXISTS (SELECT FROM key_epochs WHERE key_epoch = (SELECT key_epoch FROM log_epoch) AND key_epoch > 0 AND rotated_at IS NULL)
            THEN EXISTS (SELECT FROM subject_keys WHERE wrapped_key IS NOT NULL AND key_epoch <> ALL ($1))
            ELSE false END

-- name: rotation_end
UPDATE key_epochs
   SET rotated_at = coalesce(rotated_at, clock_timestamp()),
       survivors = coalesce(survivors, (SELECT count(*) FROM subject_keys WHERE wrapped_key IS NOT NULL)),
       erased = coalesce(erased, (SELECT count(*) FROM subject_keys WHERE destroyed_at IS NOT NULL AND key_epoch = $1 - 1))
 WHERE key_epoch = $1
RETURNING survivors, erased, rotated_at

-- name: rotation_left
SELECT (SELECT count(*) FROM subject_keys WHERE wrapped_key IS NOT NULL AND key_epoch < $1)
     + (SELECT count(*) FROM subject_terms WHERE key_epoch < $1)

-- name: rotation_lock
SELECT pg_advisory_lock(7310575211900613)

-- name: subject_index_restart
UPDATE subject_index SET through = 0, target = (SELECT coalesce(max(position), 0) FROM events)

-- name: subject_keys
SELECT subject, wrapped_key, key_epoch FROM subject_keys WHERE subject = ANY ($1)

-- name: terms_forget
DELETE FROM subject_terms

-- name: terms_orphaned
DELETE FROM subject_terms t
 WHERE t.key_epoch < $1
   AND NOT EXISTS (SELECT FROM subject_keys k WHERE k.subject = t.subject AND k.wrapped_key IS NOT NULL)

-- name: terms_outdated
SELECT t.subject, t.term, t.sealed, k.wrapped_key, coalesce(k.key_epoch, 0)
  FROM (SELECT subject, term, sealed FROM subject_terms
         WHERE (subject, term) > ($1, $2) AND key_epoch < $3
         ORDER BY subject, term LIMIT 1000) t
  LEFT JOIN subject_keys k ON k.subject = t.subject
 ORDER BY t.subject, t.term

-- name: terms_renew
WITH before AS (
    DELETE FROM subject_terms t
     USING unnest($2::text[], $3::bytea[], $4::bytea[]) AS n(subject, old, fresh)
     WHERE t.subject = n.subject AND t.term = n.old
    RETURNING t.subject, n.fresh, t.sealed
)
INSERT INTO subject_terms (subject, key_epoch, term, sealed)
SELECT subject, $1, fresh, sealed FROM before
ON CONFLICT DO NOTHING
