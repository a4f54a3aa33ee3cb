-- Up to where the live build holds the log. Of a cluster, the node that is asked answers for itself.
CREATE OR REPLACE VIEW {views}.freshness
(
    build           String COMMENT 'Database of the live build; another one after a rebuild',
    version         UInt32 COMMENT 'Version of the projections that made its rows',
    zone            String COMMENT 'Zone of its days, hours and months',
    position        UInt64 COMMENT 'Position in the log up to which the rows of all events are stored',
    stored_at       DateTime64(3, '{zone}') COMMENT 'When they were stored last; nothing is stored while nothing happens',
    last_message_at DateTime64(3, '{zone}') COMMENT 'Time of the latest message that is stored'
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
COMMENT 'One row: the build that the views show, and up to where it holds the log. It cannot tell a quiet clinic from tables that stopped'
