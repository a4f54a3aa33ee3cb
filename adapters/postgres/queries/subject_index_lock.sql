SELECT i.through, i.target, e.key_epoch FROM subject_index i, log_epoch e FOR UPDATE OF i FOR SHARE OF e
