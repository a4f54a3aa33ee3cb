-- The analysts' changes of contacts: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.contact_history
(
    {columns of contact_history},
    from_status String COMMENT 'Status until then; new for the first change', -- of to_status
    channel LowCardinality(String) COMMENT 'Where the contact came from: web, import, demo' -- of contact_history.channel, conversations.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of contact_history},
    lagInFrame(to_status::String, 1, 'new') OVER (PARTITION BY came_at, kind, contact_id ORDER BY position ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS from_status,
    -- Looked up only where it is asked for.
    if(channel != '', channel, multiIf(
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web'))::LowCardinality(String) AS channel
FROM {database}.contact_history FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a change of a contact''s status, by the staff, the visitor or a booking. Do not take each for work of the staff: changed_by says who did it, and a second booking changes scheduled to scheduled'
