UPDATE projection_checkpoints
   SET position = $5, recorded_at = $6, updated_at = clock_timestamp(), trouble = NULL, trouble_at = NULL
 WHERE projection = $1 AND token = $2 AND epoch = $3::uuid AND position = $4
   AND epoch = (SELECT epoch FROM log_epoch)
   AND EXISTS (SELECT FROM events e WHERE e.position = $5 AND e.event_id = $7::uuid)
