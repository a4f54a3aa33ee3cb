WITH old AS (
    DELETE FROM unnamed_proxies WHERE seen_at <= $4 AND address <> $1
)
INSERT INTO unnamed_proxies (address, header, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (address) DO UPDATE SET header = excluded.header, seen_at = excluded.seen_at
