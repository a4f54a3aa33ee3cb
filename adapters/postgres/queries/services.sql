SELECT slug, title, description, markdown, html, icon, image_url, specialty, featured, place
FROM services
ORDER BY place, slug COLLATE "C"
