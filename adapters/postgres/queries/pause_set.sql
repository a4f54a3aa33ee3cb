UPDATE projection_checkpoints SET hold_at = $2, hold_until = clock_timestamp() + $3 WHERE projection = ANY ($1)
