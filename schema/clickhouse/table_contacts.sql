-- One row a contact, once merged: a conversation in which a reachable contact was left, or a
-- message of the contact form. Names, phones, texts and notes stay in the log. Every column
-- but the key is a join: a pair with a log position keeps the value told last.
CREATE TABLE IF NOT EXISTS {database}.contacts
(
    kind               LowCardinality(String) COMMENT 'lead: left in a conversation; message: sent with the contact form',
    contact_id         String COMMENT 'Identifier of the lead''s conversation, or of the message',
    came_at            DateTime64(3, '{zone}') COMMENT 'started_at of the lead''s conversation, or when the message was received; decides the period a contact belongs to',
    reachable          SimpleAggregateFunction(max, Bool) COMMENT 'The contact was left; the analysts'' view has no others',
    told_status        SimpleAggregateFunction(max, Tuple(UInt64, String)) COMMENT 'What was said last of how far the staff has come, by a booking or by the staff, with its position in the log',
    told_slot          SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, '{zone}'))) COMMENT 'When the appointment booked last begins, with the position of the booking in the log',
    cancelled_position SimpleAggregateFunction(max, UInt64) COMMENT 'Position in the log of the latest cancellation; 0 if there was none',
    note_positions     SimpleAggregateFunction(groupUniqArrayArray, Array(UInt64)) COMMENT 'Log positions of the staff''s notes, unordered',
    channel            SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'Where the contact came from, where its own events say so; empty otherwise',
    last_position      SimpleAggregateFunction(max, UInt64) COMMENT 'Greatest position in the log that tells of this contact',

    status    String ALIAS if(told_status.2 = '', 'new', told_status.2) COMMENT 'How far the staff has come: new, contacted, scheduled, discarded',
    slot      Nullable(DateTime64(3, '{zone}')) ALIAS if(told_slot.1 = 0, NULL, told_slot.2) COMMENT 'When the appointment booked last begins; NULL if none was',
    cancelled Bool ALIAS cancelled_position > told_slot.1 COMMENT 'The booking was taken back, and none followed',
    notes     UInt64 ALIAS length(note_positions) COMMENT 'Notes of the staff'
)
ENGINE = AggregatingMergeTree
-- As in the table conversations: all partial rows of a key lie in one partition.
PARTITION BY toYYYYMM(came_at)
-- The list is one of a period, newest first, and read page by page: a range of this key, from
-- its end. Kind and id make the key unique; no question ranges over them.
ORDER BY (came_at, kind, contact_id)
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1
COMMENT 'One row a contact. Read it with FINAL, where reachable: unmerged, a contact has several partial rows'
