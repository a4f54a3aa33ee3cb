-- Whatever the order in which rows are read: a sum of what each event is at its position.
SELECT count(*) || ' ' || coalesce(sum(hashtextextended(event_id::text || encode(payload_hash, 'hex'), position)::numeric), 0)
  FROM events
 WHERE position <= $1
