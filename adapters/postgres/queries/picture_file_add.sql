INSERT INTO picture_files (name, data) VALUES ($1, $2) ON CONFLICT DO NOTHING
