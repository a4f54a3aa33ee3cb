SELECT stream, count(*), min(version), max(version)
  FROM events
 GROUP BY stream
HAVING min(version) <> 1 OR max(version) <> count(*)
 ORDER BY stream
 LIMIT $1
