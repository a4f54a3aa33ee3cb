UPDATE projection_builds SET state = 'live', updated_at = clock_timestamp() WHERE name = $1
