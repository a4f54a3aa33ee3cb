SELECT name, alt, focus_x, focus_y, shown_x, shown_y, type, sha256, key, width, height, widths
FROM pictures
ORDER BY name COLLATE "C"
