SELECT count(*) FILTER (WHERE position = $2) FROM projection_checkpoints WHERE projection = ANY ($1)
