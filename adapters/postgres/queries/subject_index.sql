SELECT through, target FROM subject_index
