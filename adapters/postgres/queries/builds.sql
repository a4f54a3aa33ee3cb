SELECT name, state, version, epoch::text, target, created_at, updated_at
  FROM projection_builds
 ORDER BY created_at, length(name), name
