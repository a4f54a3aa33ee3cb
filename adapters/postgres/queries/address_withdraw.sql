DELETE FROM address_starts WHERE address = $1 AND stream = $2
