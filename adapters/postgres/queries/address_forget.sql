WITH starts AS (
    DELETE FROM address_starts WHERE began_at <= $1::timestamptz - interval '24 hours'
), refusals AS (
    DELETE FROM address_refusals WHERE minute <= $1::timestamptz - interval '3 days'
), failures AS (
    DELETE FROM login_failures WHERE failed_at <= $2
)
DELETE FROM unnamed_proxies WHERE seen_at <= $3
