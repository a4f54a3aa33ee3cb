INSERT INTO subject_terms (subject, key_epoch, term, sealed)
SELECT t.subject, $1, t.term, t.sealed FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS t(subject, term, sealed)
ON CONFLICT DO NOTHING
