SELECT slug, name, title, specialty, bio, markdown, html, specialties, training, affiliations, service, page_title, page_description, place
FROM profiles
ORDER BY place, slug COLLATE "C"
