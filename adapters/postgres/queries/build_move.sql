UPDATE projection_builds SET state = $2, updated_at = clock_timestamp()
 WHERE name = $1 AND state = ANY ($3)
