INSERT INTO projection_builds (name, state, version, epoch)
SELECT $1, 'live', $2, epoch FROM log_epoch
 WHERE NOT EXISTS (SELECT FROM projection_builds)
ON CONFLICT (name) DO NOTHING
