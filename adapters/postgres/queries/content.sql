-- name: answers
SELECT slug, topic, service, aspect, open, questions, answer, english
FROM answers
ORDER BY place

-- name: content_clear
DELETE FROM services;
DELETE FROM testimonials;
DELETE FROM posts;
DELETE FROM notice;
DELETE FROM answers;
DELETE FROM pictures;
DELETE FROM pages;
DELETE FROM profiles;

-- name: content_lock
-- Writers of content come one after the other.
SELECT version FROM content_version FOR UPDATE

-- name: content_renew
UPDATE content_version SET version = version + 1, changed_at = clock_timestamp()

-- name: content_version
SELECT version FROM content_version

-- name: notice
SELECT version, title, description, markdown, html FROM notice

-- name: pages
SELECT name, texts FROM pages ORDER BY name COLLATE "C"

-- name: posts
SELECT slug, title, excerpt, markdown, html, image_url, published_at, topics
FROM posts
ORDER BY published_at DESC, slug COLLATE "C"

-- name: profiles
SELECT slug, name, title, specialty, bio, markdown, html, specialties, training, affiliations, service, page_title, page_description, place
FROM profiles
ORDER BY place, slug COLLATE "C"

-- name: services
SELECT slug, title, description, markdown, html, icon, image_url, specialty, featured, place, menu_text, badge, page
FROM services
ORDER BY place, slug COLLATE "C"

-- name: testimonials
SELECT id, name, comment, rating, location, image_url
FROM testimonials
ORDER BY place
