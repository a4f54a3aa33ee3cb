SELECT wanted.name
FROM unnest($1::text[]) AS wanted (name)
LEFT JOIN picture_files USING (name)
WHERE picture_files.name IS NULL
