WITH old AS (
    DELETE FROM login_failures WHERE failed_at <= $5
)
INSERT INTO login_failures (email, address, device, failed_at) VALUES (lower($1), $2, $3, $4)
