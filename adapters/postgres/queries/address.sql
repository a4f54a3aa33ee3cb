-- name: address_forget
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

-- name: address_refused
SELECT min(minute) FROM address_refusals WHERE minute >= $1 AND minute < $2

-- name: address_start
SELECT address_start($1, $2, $3, $4, $5)

-- name: address_withdraw
DELETE FROM address_starts WHERE address = $1 AND stream = $2

-- name: proxies_seen
SELECT address, header, seen_at FROM unnamed_proxies WHERE seen_at > $1 ORDER BY seen_at DESC

-- name: proxy_seen
WITH old AS (
    DELETE FROM unnamed_proxies WHERE seen_at <= $4 AND address <> $1
)
INSERT INTO unnamed_proxies (address, header, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (address) DO UPDATE SET header = excluded.header, seen_at = excluded.seen_at

-- name: throttle_give
-- The bucket's key is removed once it is full: see address_forget.sql.
UPDATE throttles SET full_at = full_at - $2::interval WHERE key = $1

-- name: throttle_take
-- $2 is null but for tests: the clocks of the processes need not agree.
WITH clock AS (
    SELECT coalesce($2::timestamptz, clock_timestamp()) AS now
)
INSERT INTO throttles AS t (key, full_at)
SELECT $1::bytea, now + $3::interval FROM clock
ON CONFLICT (key) DO UPDATE
   SET full_at = CASE WHEN greatest(t.full_at + $3, excluded.full_at) <= excluded.full_at - $3 + $4::interval
                      THEN greatest(t.full_at + $3, excluded.full_at)
                      ELSE t.full_at END
RETURNING greatest(old.full_at - (SELECT now FROM clock), interval '0')
