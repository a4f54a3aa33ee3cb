-- The analysts' contacts: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
-- The casts give the declared types: without them a value arrives with the aggregate function
-- that it is stored with.
CREATE OR REPLACE VIEW {views}.contacts
(
    kind          LowCardinality(String) COMMENT 'lead: left in a conversation; message: sent with the contact form',
    contact_id    String COMMENT 'Identifier of the lead''s conversation, or of the message',
    came_at       DateTime64(3, '{zone}') COMMENT 'started_at of the lead''s conversation, or when the message was received; decides the period a contact belongs to',
    reachable     Bool COMMENT 'The contact was left: true of all that are here',
    status        String COMMENT 'How far the staff has come: new, contacted, scheduled, discarded',
    notes         UInt64 COMMENT 'Notes of the staff',
    slot          Nullable(DateTime64(3, '{zone}')) COMMENT 'When the appointment booked last begins; NULL if none was',
    cancelled     Bool COMMENT 'The booking was taken back, and none followed',
    channel       LowCardinality(String) COMMENT 'Where it came from: web, import, demo',
    last_position UInt64 COMMENT 'Greatest position in the log that tells of this contact'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    kind,
    contact_id,
    came_at,
    reachable::Bool AS reachable,
    status,
    notes,
    slot,
    cancelled,
    -- Looked up only where it is asked for.
    if(channel != '', channel, multiIf(
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        contact_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web'))::LowCardinality(String) AS channel,
    last_position::UInt64 AS last_position
FROM {database}.contacts FINAL
WHERE reachable
SETTINGS do_not_merge_across_partitions_select_final = 1
