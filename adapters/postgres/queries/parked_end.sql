WITH told AS (
    UPDATE projection_builds SET retried = greatest(retried, $4) WHERE name = $1
)
DELETE FROM parked_conversations WHERE projection = $1 AND stream = $2 AND drain_to = $3
