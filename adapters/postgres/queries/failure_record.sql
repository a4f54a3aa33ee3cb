WITH old AS (
    DELETE FROM login_failures WHERE failed_at <= $4
)
INSERT INTO login_failures (email, address, failed_at) VALUES (lower($1), $2, $3)
