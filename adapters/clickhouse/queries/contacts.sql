-- The contacts of a kind and status, or of any, that came in [from, to), newest first, that come
-- after the place (before_came_at, before_kind, before_id) in this order. The first page begins
-- at (to, '', '').
SELECT kind, contact_id, came_at, status
FROM contacts FINAL
WHERE came_at >= {from:DateTime64(3, 'UTC')}
  AND came_at <  {to:DateTime64(3, 'UTC')}
  AND reachable
  AND ({kind:String} = '' OR kind = {kind:String})
  AND ({status:String} = '' OR status = {status:String})
  -- The comparison of triples alone would not narrow the range of the key that is read.
  AND came_at <= {before_came_at:DateTime64(3, 'UTC')}
  AND (came_at, kind, contact_id) < ({before_came_at:DateTime64(3, 'UTC')}, {before_kind:String}, {before_id:String})
ORDER BY came_at DESC, kind DESC, contact_id DESC
LIMIT {limit:UInt64}
