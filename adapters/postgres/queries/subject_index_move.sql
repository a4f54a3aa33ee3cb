UPDATE subject_index SET through = $1
