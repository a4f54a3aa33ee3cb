SELECT epoch::text FROM log_epoch
