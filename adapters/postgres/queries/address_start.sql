SELECT address_start($1, $2, $3, $4, $5)
