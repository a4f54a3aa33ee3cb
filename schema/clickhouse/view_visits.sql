-- The analysts' visits: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.visits
(
    {columns of visits},
    channel LowCardinality(String) COMMENT 'Where it came from: web, demo'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of visits},
    if(channel = '', 'web', channel)::LowCardinality(String) AS channel
FROM {database}.visits FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a visit to the site, with or without a chat. Do not take visits for people: the same one may visit often'
