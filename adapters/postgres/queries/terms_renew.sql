WITH before AS (
    DELETE FROM subject_terms t
     USING unnest($2::text[], $3::bytea[], $4::bytea[]) AS n(subject, old, fresh)
     WHERE t.subject = n.subject AND t.term = n.old
    RETURNING t.subject, n.fresh, t.sealed
)
INSERT INTO subject_terms (subject, key_epoch, term, sealed)
SELECT subject, $1, fresh, sealed FROM before
ON CONFLICT DO NOTHING
