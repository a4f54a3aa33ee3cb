DELETE FROM subject_terms WHERE subject = $1
