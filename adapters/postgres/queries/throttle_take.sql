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
