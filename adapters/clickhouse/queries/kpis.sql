-- What is counted of the conversations that started in [from, to), as far as the filter lets
-- them through. The percentiles are interpolated, as a spreadsheet's PERCENTILE does it;
-- the two stand for one function, which is computed once. Above each number: its meaning, its
-- unit, and what not to do with it.
SELECT
    -- Conversations that started [conversations]. Do not filter on the time of messages: a conversation belongs to the day of its first one
    count()                                         AS conversations,
    -- Messages of either side in the conversations [messages]. Do not compare with the messages sent in the period: those of a conversation count on its first day
    sum(message_count)                              AS messages,
    -- Conversations with a reachable contact [conversations]. Do not take for people: who comes back in another session counts again
    countIf(lead)                                   AS leads,
    -- Conversations with a confirmed booking, also where it was cancelled later [conversations]. Do not take for bookings: a conversation may have several
    countIf(appointment)                            AS appointments,
    -- Conversations whose booking was cancelled, and none followed [conversations]. Do not subtract bookings: a moved one is not cancelled
    countIf(appointment_cancelled)                  AS cancelled_appointments,
    -- Conversations that ask for the staff's attention [conversations]. Do not add up flags: a conversation may have several
    countIf(notEmpty(flags))                        AS flagged,
    -- Active time of the conversations, in milliseconds [ms]. Do not take for the time until the last message: a gap counts up to 30 minutes
    sum(active_ms)                                  AS total_active_ms,
    -- Median of the active time, in milliseconds [ms]. Do not take a mean of the medians of days: ask for the whole period
    quantilesExactInclusive(0.5, 0.9)(active_ms)[1] AS median_active_ms,
    -- Active time that nine of ten conversations do not exceed, in milliseconds [ms]. Do not take a mean of those of days: ask for the whole period
    quantilesExactInclusive(0.5, 0.9)(active_ms)[2] AS p90_active_ms
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
