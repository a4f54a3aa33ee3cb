-- An event that is appended again, after a failover, is recorded at another moment.
SELECT EXISTS (SELECT FROM events WHERE position = $1 AND event_id = $2 AND recorded_at = $3)
