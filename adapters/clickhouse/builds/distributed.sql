-- A table of a build as all shards of a cluster hold it together. Every table has the same key, of
-- whose row it is: what is joined by conversation lies on one shard, and so do all rows of a key,
-- which FINAL merges there.
CREATE TABLE IF NOT EXISTS {database}.{table} AS {local}.{table}
ENGINE = Distributed({cluster}, {local}, {table}, cityHash64({subject}))
