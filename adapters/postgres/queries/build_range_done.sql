UPDATE build_ranges SET replayed_at = clock_timestamp() WHERE build = $1 AND first = $2
