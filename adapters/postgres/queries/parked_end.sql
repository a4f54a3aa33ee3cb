DELETE FROM parked_conversations WHERE projection = $1 AND stream = $2 AND drain_to = $3
