-- How many contacts of a kind, or of any, came in [from, to), by how far the staff has come,
-- and the last position in the log that tells of one of them.
SELECT status, count() AS contacts, max(last_position) AS reaches
FROM contacts FINAL
WHERE came_at >= {from:DateTime64(3, 'UTC')}
  AND came_at <  {to:DateTime64(3, 'UTC')}
  AND reachable
  AND ({kind:String} = '' OR kind = {kind:String})
GROUP BY status
