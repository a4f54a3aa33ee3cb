-- The analysts' conversations: merged, of the live build, under a name that never changes.
-- Read with the rights of its publisher: a reader needs none on the builds, which come and go.
CREATE OR REPLACE VIEW {views}.conversations
(
    {columns of conversations},
    started_date Date COMMENT 'Day of the business zone of started_at', -- of started_at
    started_hour UInt8 COMMENT 'Hour of the business zone of started_at, 0 to 23', -- of started_at
    started_weekday UInt8 COMMENT 'Weekday of the business zone of started_at: 1 is Monday, 7 is Sunday', -- of started_at
    seconds_to_booking Nullable(Int64) COMMENT 'Whole seconds from started_at to booked_at; NULL if nothing was booked', -- of started_at, booked_at
    outcome LowCardinality(String) COMMENT 'Outcome of its appointments: came if the person came to one, else missed or cancelled-late; empty while none is recorded' -- of bookings.outcome
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    {values of conversations},
    toDate(started_at) AS started_date,
    toHour(started_at) AS started_hour,
    toDayOfWeek(started_at) AS started_weekday,
    intDiv(dateDiff('millisecond', started_at, booked_at), 1000) AS seconds_to_booking,
    -- Looked up only where it is asked for.
    multiIf(
        conversation_id IN (SELECT conversation_id FROM {database}.bookings FINAL WHERE outcome = 'came'), 'came',
        conversation_id IN (SELECT conversation_id FROM {database}.bookings FINAL WHERE outcome = 'missed'), 'missed',
        conversation_id IN (SELECT conversation_id FROM {database}.bookings FINAL WHERE outcome = 'cancelled-late'), 'cancelled-late',
        '')::LowCardinality(String) AS outcome
FROM {database}.conversations FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'One row a conversation: what came of it. A period contains those that started in it. Do not take appointment for one that took place: outcome says whether the person came'
