INSERT INTO projection_checkpoints (projection, epoch, position, announced, recorded_at, token)
SELECT b.name, b.epoch, b.target, b.target, (SELECT recorded_at FROM events WHERE position = b.target), 0
  FROM projection_builds b
 WHERE b.name = $1 AND b.epoch = (SELECT epoch FROM log_epoch)
   AND NOT EXISTS (SELECT FROM build_ranges r WHERE r.build = b.name AND r.replayed_at IS NULL)
