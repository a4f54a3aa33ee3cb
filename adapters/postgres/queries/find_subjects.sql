SELECT DISTINCT subject FROM subject_terms WHERE term = ANY ($1) ORDER BY subject
