-- One row a change of a contact's status, in the order of the log. A row that is told again replaces itself.
CREATE TABLE IF NOT EXISTS {database}.contact_history
(
    kind       LowCardinality(String) COMMENT 'lead: left in a conversation; message: sent with the contact form',
    contact_id String COMMENT 'Identifier of the lead''s conversation, or of the message',
    came_at    DateTime64(3, '{zone}') COMMENT 'came_at of the contact: joins changes to the contacts of a period',
    to_status  LowCardinality(String) COMMENT 'Status from then on: new, contacted, scheduled, discarded',
    changed_at DateTime64(3, '{zone}') COMMENT 'When it changed',
    changed_by LowCardinality(String) COMMENT 'Identifier of the account that changed it; visitor, or the source of a booking: chat, form, staff',
    channel    LowCardinality(String) COMMENT 'Where the contact came from, where its own events say so; empty otherwise',
    position   UInt64 COMMENT 'Position of the event in the log'
)
ENGINE = ReplacingMergeTree(position)
-- By the contact's day, as contacts.
PARTITION BY toYYYYMM(came_at)
-- The changes of a period's contacts are one range of the key, each contact's in their order.
ORDER BY (came_at, kind, contact_id, position)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a change of a contact''s status. Read it with FINAL: unmerged, a repeated row stands twice'
