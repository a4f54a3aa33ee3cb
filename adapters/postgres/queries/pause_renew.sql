UPDATE projection_checkpoints
   SET hold_until = clock_timestamp() + $3
 WHERE projection = ANY ($1) AND hold_at = $2 AND hold_until > clock_timestamp()
