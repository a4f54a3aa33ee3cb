SELECT slug, title, description, markdown, html, icon, image_url, specialty, featured, place, menu_text, badge, page
FROM services
ORDER BY place, slug COLLATE "C"
