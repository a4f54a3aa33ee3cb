-- What is counted of the conversations that started in [from, to). The percentiles are
-- interpolated, as a spreadsheet's PERCENTILE does it.
SELECT
    count()                                         AS conversations,
    sum(message_count)                              AS messages,
    countIf(lead)                                   AS leads,
    countIf(appointment)                            AS appointments,
    countIf(appointment_cancelled)                  AS cancelled_appointments,
    sum(active_ms)                                  AS total_active_ms,
    quantilesExactInclusive(0.5, 0.9)(active_ms)    AS active_ms_median_p90
FROM conversations FINAL
WHERE started_at >= {from:DateTime64(3, 'UTC')}
  AND started_at <  {to:DateTime64(3, 'UTC')}
