UPDATE projection_checkpoints
   SET announced = greatest(announced, least($5, CASE WHEN hold_until > clock_timestamp() THEN hold_at END))
 WHERE projection = $1 AND token = $2 AND epoch = $3::uuid AND position = $4
   AND epoch = (SELECT epoch FROM log_epoch)
   AND EXISTS (SELECT FROM events e WHERE e.position = $5 AND e.event_id = $6::uuid)
RETURNING least($5, CASE WHEN hold_until > clock_timestamp() THEN hold_at END)
