UPDATE subject_index SET through = 0, target = (SELECT coalesce(max(position), 0) FROM events), kinds = $1 WHERE kinds < $1
