SELECT position, epoch, hash FROM log_chain WHERE position > $1 AND position <= $2 ORDER BY position
