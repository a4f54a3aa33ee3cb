-- The analysts' conversations: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.conversations
(
    {columns of conversations}
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of conversations}
FROM {database}.conversations FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a conversation: what came of it. A period contains those that started in it'
