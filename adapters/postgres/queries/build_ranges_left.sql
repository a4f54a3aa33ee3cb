SELECT first, last FROM build_ranges WHERE build = $1 AND replayed_at IS NULL ORDER BY first
