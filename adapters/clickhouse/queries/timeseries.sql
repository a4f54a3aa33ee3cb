-- What is counted of the conversations by the bucket in which they started. The buckets are
-- given by the instants at which they begin, in milliseconds since 1970, the first being from;
-- those without conversations are missing.
SELECT
    roundDown(toUnixTimestamp64Milli(started_at), {starts:Array(Int64)}) AS bucket,
    count()              AS conversations,
    sum(message_count)   AS messages,
    countIf(lead)        AS leads,
    countIf(appointment) AS appointments,
    sum(active_ms)       AS total_active_ms
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
GROUP BY bucket
ORDER BY bucket
