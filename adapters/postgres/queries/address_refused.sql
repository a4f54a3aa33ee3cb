SELECT min(minute) FROM address_refusals WHERE minute >= $1 AND minute < $2
