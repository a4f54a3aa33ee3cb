DELETE FROM services;
DELETE FROM testimonials;
DELETE FROM posts;
DELETE FROM notice;
DELETE FROM answers;
DELETE FROM pictures;
DELETE FROM pages;
DELETE FROM profiles;
