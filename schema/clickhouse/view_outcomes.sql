-- The analysts' outcomes: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.outcomes
(
    {columns of outcomes},
    channel LowCardinality(String) COMMENT 'Where its conversation came from: web, import, demo'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of outcomes},
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM {database}.outcomes FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row an appointment with a recorded outcome, on the day of its conversation: came, missed, cancelled-late. Appointments without one have no row'
