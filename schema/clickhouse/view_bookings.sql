-- The analysts' bookings: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.bookings
(
    {columns of bookings},
    booked_at DateTime64(3, '{zone}') COMMENT 'When the booking was confirmed first',
    slot DateTime64(3, '{zone}') COMMENT 'When the appointment begins',
    lead_time_hours Float64 COMMENT 'Hours from booked_at to slot', -- of booked_at, slot
    moved Bool COMMENT 'Another booking took its place; cancelled stays false', -- of replaces
    channel LowCardinality(String) COMMENT 'Where its conversation or message came from: web, import, demo' -- of conversations.channel, contacts.channel
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of bookings},
    assumeNotNull(booked_at) AS booked_at,
    assumeNotNull(slot) AS slot,
    dateDiff('millisecond', booked_at, slot) / 3600000 AS lead_time_hours,
    -- What follows is looked up only where it is asked for.
    ((conversation_id, booking_id) IN (SELECT conversation_id, replaces FROM {database}.bookings))::Bool AS moved,
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT contact_id FROM {database}.contacts WHERE channel = 'demo'), 'demo',
        conversation_id IN (SELECT conversation_id FROM {database}.conversations WHERE channel = 'import'), 'import',
        'web')::LowCardinality(String) AS channel
FROM {database}.bookings FINAL
WHERE booked_by != ''
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a booking, on the day of its conversation or message of the contact form. Do not count rows as appointments: a moved one has a row for each time; filter on NOT moved'
