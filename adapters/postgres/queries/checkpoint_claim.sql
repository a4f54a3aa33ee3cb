INSERT INTO projection_checkpoints AS c (projection, epoch, position, token)
SELECT $1, epoch, 0, $2 FROM log_epoch
ON CONFLICT (projection) DO UPDATE SET token = excluded.token WHERE c.token <= excluded.token
