-- What is counted of the conversations that started in [from, to), as far as the filter lets
-- them through. The percentiles are interpolated, as a spreadsheet's PERCENTILE does it;
-- the two stand for one function, which is computed once.
SELECT
    count()                                         AS conversations,
    sum(message_count)                              AS messages,
    countIf(lead)                                   AS leads,
    countIf(appointment)                            AS appointments,
    countIf(appointment_cancelled)                  AS cancelled_appointments,
    countIf(notEmpty(flags))                        AS flagged,
    sum(active_ms)                                  AS total_active_ms,
    quantilesExactInclusive(0.5, 0.9)(active_ms)[1] AS median_active_ms,
    quantilesExactInclusive(0.5, 0.9)(active_ms)[2] AS p90_active_ms
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
