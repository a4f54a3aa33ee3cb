SELECT (SELECT coalesce(max(position), 0) FROM events),
       (SELECT coalesce(max(position), 0) FROM log_chain),
       (SELECT unchained_through FROM log_epoch)
