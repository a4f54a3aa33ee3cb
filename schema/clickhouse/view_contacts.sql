-- The analysts' contacts: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.contacts
(
    {columns of contacts},
    channel LowCardinality(String) COMMENT 'Where it came from: web, import, demo' -- of contacts.channel, conversations.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of contacts},
    -- Looked up only where it is asked for.
    if(channel != '', channel, multiIf(
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web'))::LowCardinality(String) AS channel
FROM {database}.contacts FINAL
WHERE reachable
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a contact, a lead or a message of the form, without the contact''s details: when it came and where it stands. Do not take status for that of an earlier day: contact_history has its changes'
