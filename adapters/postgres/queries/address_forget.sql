WITH refusals AS (
    DELETE FROM address_refusals WHERE minute <= $1::timestamptz - interval '3 days'
)
DELETE FROM address_starts WHERE began_at <= $1::timestamptz - interval '24 hours'
