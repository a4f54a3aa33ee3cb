SELECT data FROM picture_files WHERE name = $1
