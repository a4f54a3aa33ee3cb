SELECT id, name, comment, rating, location, image_url
FROM testimonials
ORDER BY place
