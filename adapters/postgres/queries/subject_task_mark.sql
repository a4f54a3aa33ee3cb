UPDATE subject_tasks SET position = $4 WHERE subject = $1 AND action = $2 AND begun_at = $3
