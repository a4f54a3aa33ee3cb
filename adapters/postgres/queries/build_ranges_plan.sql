INSERT INTO build_ranges (build, first, last)
SELECT $1, first, least(first + $3 - 1, $2) FROM generate_series(1::bigint, $2, $3) AS first
