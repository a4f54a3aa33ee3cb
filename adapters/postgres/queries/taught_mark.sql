INSERT INTO taught_answers (slug, content_version) VALUES ($1, $2)
ON CONFLICT (slug) DO UPDATE SET content_version = excluded.content_version
