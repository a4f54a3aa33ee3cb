-- The analysts' refusals: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.chat_refusals
(
    {columns of chat_refusals},
    channel LowCardinality(String) COMMENT 'Where the session came from: web, demo'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of chat_refusals},
    if(channel = '', 'web', channel)::LowCardinality(String) AS channel
FROM {database}.chat_refusals FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a session that found the month full, once a month. Do not add them to conversations as lost ones: nobody knows what they would have asked, and the same person may come with another session'
