SELECT position, encode(hash, 'hex'), epoch::text FROM log_chain ORDER BY position DESC LIMIT 1
