-- Since when visits are counted; 1970 where none was.
SELECT min(started_at) AS visits_since
FROM visits
