-- How many sessions found the month full in [from, to), by bucket. The buckets are given by the instants
-- at which they begin, in milliseconds since 1970, the first being from; those without are missing.
SELECT roundDown(toUnixTimestamp64Milli(refused_at), {starts:Array(Int64)}) AS bucket, count() AS refusals
FROM chat_refusals FINAL
WHERE refused_at >= {from:DateTime64(3, 'UTC')}
  AND refused_at <  {to:DateTime64(3, 'UTC')}
GROUP BY bucket
ORDER BY bucket
