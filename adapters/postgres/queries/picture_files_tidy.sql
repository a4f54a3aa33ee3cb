DELETE FROM picture_files WHERE name <> ALL ($1::text[])
