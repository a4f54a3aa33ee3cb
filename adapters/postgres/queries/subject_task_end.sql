DELETE FROM subject_tasks WHERE subject = $1 AND action = $2 AND begun_at = $3
