UPDATE log_epoch SET key_epoch = greatest(key_epoch, $1)
