-- The analysts' taught answers: of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.answers_taught
(
    slug      String COMMENT 'Slug of the answer, as answer in messages',
    version   UInt32 COMMENT 'Version of the answer, from 1',
    taught_at DateTime64(3, '{zone}') COMMENT 'When the version was published', -- of answers_taught.changed_at
    undone_at Nullable(DateTime64(3, '{zone}')) COMMENT 'When the version was taken back; NULL if it was not', -- of answers_taught.changed_at
    position  UInt64 COMMENT 'Position in the log of the latest event about the version'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT slug, version, minIf(changed_at, NOT undone) AS taught_at, maxOrNullIf(changed_at, undone) AS undone_at, max(position) AS position
FROM {database}.answers_taught FINAL
GROUP BY slug, version
HAVING countIf(NOT undone) > 0
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a version of an answer that the staff taught. Do not take a version without undone_at for one that holds: a later version takes its place'
