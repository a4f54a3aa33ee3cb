-- How many contacts of a kind, or of any, came in [from, to), by how far the staff has come.
SELECT status, count() AS contacts
FROM contacts FINAL
WHERE came_at >= {from:DateTime64(3, 'UTC')}
  AND came_at <  {to:DateTime64(3, 'UTC')}
  AND reachable
  AND ({kind:String} = '' OR kind = {kind:String})
GROUP BY status
