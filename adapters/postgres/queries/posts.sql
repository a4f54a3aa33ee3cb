SELECT slug, title, excerpt, markdown, html, image_url, published_at, topics
FROM posts
ORDER BY published_at DESC, slug COLLATE "C"
