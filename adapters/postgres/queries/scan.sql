-- Rows are taken while those before them hold less than $4 bytes, so the first one always is.
-- How long a text is, is known without fetching what lies out of line.
SELECT position, event_id, stream, version, type, schema_version,
       occurred_at, recorded_at, data, sealed, metadata, payload_hash
  FROM (SELECT *, sum(octet_length(data) + coalesce(octet_length(sealed), 0) + octet_length(metadata))
                      OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held
          FROM (SELECT * FROM events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3) AS next) AS counted
 WHERE held IS NULL OR held < $4
 ORDER BY position
