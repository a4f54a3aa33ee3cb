-- The analysts' accesses to data of people, without a person: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.data_access
(
    accessed_at DateTime64(3, '{zone}') COMMENT 'When it was recorded: before the data were handed over',
    action      LowCardinality(String) COMMENT 'read, searched: conversations or contacts that contain words, exported: taken away as a file',
    kind        LowCardinality(String) COMMENT 'Which data: transcript, contacts, questions, replayed, person, waiting, conversations, messages, labels, views, log; in earlier logs unanswered, displeasing',
    position    UInt64 COMMENT 'Position of the event in the log',
    channel     LowCardinality(String) COMMENT 'Where it happened: web, demo'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    toDateTime64(accessed_at, 3) AS accessed_at, action, kind, position,
    if(channel = '', 'web', channel)::LowCardinality(String) AS channel
FROM {database}.data_access FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a recorded reading, search or export of data of people, without who it was. Do not take rows for pages that were looked at: the same answer to the same question within an hour has one row'
