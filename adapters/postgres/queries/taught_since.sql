SELECT slug FROM taught_answers WHERE content_version > $1
