WITH starts AS (
    DELETE FROM address_starts WHERE began_at <= $1::timestamptz - interval '24 hours'
), refusals AS (
    DELETE FROM address_refusals WHERE minute <= $1::timestamptz - interval '3 days'
), failures AS (
    DELETE FROM login_failures WHERE failed_at <= $2
), buckets AS (
    -- Whoever takes of one waits for nobody here: the other of its buckets may be among these, too.
    DELETE FROM throttles WHERE key IN (SELECT key FROM throttles WHERE full_at <= clock_timestamp() FOR UPDATE SKIP LOCKED)
)
DELETE FROM unnamed_proxies WHERE seen_at <= $3
