-- The streams whose latest word on it restricts them.
SELECT stream
  FROM (SELECT DISTINCT ON (stream) stream, data FROM events WHERE type = 'SubjectRestricted' ORDER BY stream, version DESC) latest
 WHERE (data::json ->> 'on')::boolean
 ORDER BY stream
