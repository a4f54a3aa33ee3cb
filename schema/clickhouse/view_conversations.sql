-- The analysts' conversations: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.conversations
(
    {columns of conversations},
    started_date Date COMMENT 'Day of the business zone of started_at',
    started_hour UInt8 COMMENT 'Hour of the business zone of started_at, 0 to 23',
    started_weekday UInt8 COMMENT 'Weekday of the business zone of started_at: 1 is Monday, 7 is Sunday'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of conversations},
    toDate(started_at) AS started_date,
    toHour(started_at) AS started_hour,
    toDayOfWeek(started_at) AS started_weekday
FROM {database}.conversations FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a conversation: what came of it. A period contains those that started in it'
