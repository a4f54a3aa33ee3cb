UPDATE projection_builds SET state = 'kept', updated_at = clock_timestamp() WHERE state = 'live' AND name <> $1
