-- A page of the questions to be labelled, newest first, after a place in that order.
SELECT *
FROM ({questions})
WHERE ({state:String} = '' OR (kind != '') = ({state:String} = 'labelled'))
  AND (asked_at, conversation_id, ordinal) < ({before_asked_at:DateTime64(3, 'UTC')}, {before_id:String}, {before_ordinal:UInt32})
ORDER BY asked_at DESC, conversation_id DESC, ordinal DESC
LIMIT {limit:UInt64}
