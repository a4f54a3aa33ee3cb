SELECT key_epoch FROM log_epoch
