WITH drained AS (
    UPDATE parked_conversations p
       SET drain_to = c.announced
      FROM (SELECT announced FROM projection_checkpoints WHERE projection = $1 FOR UPDATE) c
     WHERE p.projection = $1 AND p.stream = $2
    RETURNING p.drain_to
), numbered AS (
    UPDATE projection_builds SET retries = retries + 1 WHERE name = $1 RETURNING retries
)
SELECT d.drain_to, coalesce((SELECT retries FROM numbered), 0) FROM drained d
