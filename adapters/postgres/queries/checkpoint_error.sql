UPDATE projection_checkpoints SET trouble = $2, trouble_at = clock_timestamp() WHERE projection = $1
