SELECT name, texts FROM pages ORDER BY name COLLATE "C"
