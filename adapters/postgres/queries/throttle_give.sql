-- The bucket's key is removed once it is full: see address_forget.sql.
UPDATE throttles SET full_at = full_at - $2::interval WHERE key = $1
