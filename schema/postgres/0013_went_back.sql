-- A log that went back in time under a running program: a replica that lagged was promoted, an
-- older copy was swapped in.

-- append_events, which 0036_log_chain.sql replaces, has left this file; the digest stays that of before.
-- Digest: 79b639ad97d428ea2bc58f055049bcb1854ff011d5bf1be1f9b81d9808fdb1a3

ALTER TABLE projection_builds
    ADD retries bigint NOT NULL DEFAULT 0,
    ADD retried bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN projection_builds.retries IS 'How often what was parked was begun to be applied. Numbers the retries.';
COMMENT ON COLUMN projection_builds.retried IS 'The last retry whose rows are stored. The tables know it too: a retry moves no position by which it could be told that they were put back.';
