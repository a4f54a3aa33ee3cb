SELECT coalesce((SELECT position FROM events WHERE position <= $1 AND starts_with(stream, 'conversation/')
                  ORDER BY position DESC LIMIT 1), 0)
