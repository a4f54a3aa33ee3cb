INSERT INTO projection_builds (name) VALUES ($1) ON CONFLICT (name) DO NOTHING
