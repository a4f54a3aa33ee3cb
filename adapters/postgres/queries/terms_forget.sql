DELETE FROM subject_terms
