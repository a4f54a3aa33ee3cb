INSERT INTO projection_builds (name, state, version, epoch, target)
SELECT $1, 'replaying', $2, l.epoch, (SELECT coalesce(max(position), 0) FROM events)
  FROM log_epoch l
RETURNING target
