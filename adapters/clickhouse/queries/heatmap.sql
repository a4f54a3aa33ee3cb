-- When conversations start: by weekday (1 is Monday), hour, and whether the clinic was closed.
SELECT
    toDayOfWeek(started_at) AS weekday,
    toHour(started_at)      AS hour,
    out_of_hours,
    count()                 AS conversations,
    countIf(lead)           AS leads,
    countIf(appointment)    AS appointments
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
GROUP BY weekday, hour, out_of_hours
ORDER BY weekday, hour, out_of_hours
