-- name: picture_file
SELECT data FROM picture_files WHERE name = $1

-- name: picture_file_add
INSERT INTO picture_files (name, data) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- name: picture_files_lacking
SELECT wanted.name
FROM unnest($1::text[]) AS wanted (name)
LEFT JOIN picture_files USING (name)
WHERE picture_files.name IS NULL

-- name: picture_files_tidy
DELETE FROM picture_files WHERE name <> ALL ($1::text[])

-- name: pictures
SELECT name, alt, focus_x, focus_y, shown_x, shown_y, type, sha256, key, width, height, widths
FROM pictures
ORDER BY name COLLATE "C"
