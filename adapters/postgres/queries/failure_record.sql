WITH old AS (
    DELETE FROM login_failures WHERE failed_at <= $5
)
INSERT INTO login_failures (name_hash, address, device, failed_at) VALUES ($1, $2, $3, $4)
