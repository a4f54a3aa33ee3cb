-- What somebody typed where the name belongs may be a password, or the name of somebody
-- else: it is kept as a keyed hash. TRUNCATE also takes the names there were off the disk.

TRUNCATE login_failures;
ALTER TABLE login_failures DROP COLUMN email;
ALTER TABLE login_failures ADD COLUMN name_hash bytea NOT NULL CHECK (length(name_hash) = 32);
COMMENT ON COLUMN login_failures.name_hash IS 'HMAC-SHA-256, under a key derived from the master key, of the name that was tried, whether or not it has an account.';
