-- Up to where the live build holds the log. Of a cluster, the node that is asked answers for itself.
CREATE OR REPLACE VIEW {views}.freshness
(
    build           String COMMENT 'Database of the live build; another one after a rebuild', -- of the build itself
    version         UInt32 COMMENT 'Version of the projections that made its rows', -- of the build itself
    zone            String COMMENT 'Zone of its days, hours and months', -- of the build itself
    position        UInt64 COMMENT 'Position in the log up to which the rows of all events are stored', -- of the build itself
    stored_at       DateTime64(3, '{zone}') COMMENT 'When they were stored last; nothing is stored while nothing happens', -- of the build itself
    last_message_at DateTime64(3, '{zone}') COMMENT 'Time of the latest message that is stored' -- of conversations.last_message_at
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    '{database}' AS build,
    made.version AS version,
    '{zone}' AS zone,
    assumeNotNull((
        {applied})) AS position,
    held.stored_at AS stored_at,
    said.last_message_at AS last_message_at
FROM (SELECT any(version) AS version FROM {local}.build FINAL) AS made
CROSS JOIN (SELECT toDateTime64(max(noted_at), 3) AS stored_at FROM {local}.applied) AS held
CROSS JOIN (SELECT toDateTime64(max(last_message_at), 3) AS last_message_at FROM {database}.conversations) AS said
COMMENT 'One row: the build that the views show, and up to where it holds the log. Do not take an old stored_at for a fault: nothing is stored while nothing happens'
