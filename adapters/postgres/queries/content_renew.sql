UPDATE content_version SET version = version + 1, changed_at = clock_timestamp()
