UPDATE parked_conversations SET position = $3, reason = $4
 WHERE projection = $1 AND stream = $2 AND drain_to IS NULL
