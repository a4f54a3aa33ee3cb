DELETE FROM subject_terms WHERE subject = ANY ($1)
