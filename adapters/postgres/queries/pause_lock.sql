SELECT announced, hold_until > clock_timestamp()
  FROM projection_checkpoints
 WHERE projection = ANY ($1)
 ORDER BY projection
   FOR UPDATE
