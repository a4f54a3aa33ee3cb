UPDATE parked_conversations p
   SET drain_to = c.announced
  FROM (SELECT announced FROM projection_checkpoints WHERE projection = $1 FOR UPDATE) c
 WHERE p.projection = $1 AND p.stream = $2
RETURNING p.position, p.drain_to
