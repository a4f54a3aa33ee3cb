SELECT address, header, seen_at FROM unnamed_proxies WHERE seen_at > $1 ORDER BY seen_at DESC
