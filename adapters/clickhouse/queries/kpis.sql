-- What is counted of the conversations that started in [from, to), as far as the filter lets
-- them through. The percentiles are interpolated, as a spreadsheet's PERCENTILE does it.
WITH
    {filter:Map(String, String)} AS wanted,
    cohort AS
    (
        SELECT
            conversation_id,
            started_at,
            last_message_at,
            message_count,
            visitor_messages,
            unanswered,
            failures,
            active_ms,
            topics,
            models,
            flags,
            consent,
            lead,
            appointment,
            appointment_cancelled,
            booking_sources,
            channel,
            referrer,
            (toDayOfWeek(started_at) - 1) * 1440 + toHour(started_at) * 60 + toMinute(started_at) AS minute_of_week,
            NOT arrayExists(span -> span.1 <= minute_of_week AND minute_of_week < span.2, {opening:Array(Tuple(UInt16, UInt16))}) AS out_of_hours
        FROM conversations FINAL
        WHERE started_at >= {from:DateTime64(3, 'UTC')}
          AND started_at <  {to:DateTime64(3, 'UTC')}
          AND (wanted['lead'] = '' OR lead = (wanted['lead'] = 'true'))
          AND (wanted['appointment'] = '' OR appointment = (wanted['appointment'] = 'true'))
          AND (wanted['consent'] = '' OR consent = (wanted['consent'] = 'true'))
          AND (wanted['unanswered'] = '' OR (unanswered > 0) = (wanted['unanswered'] = 'true'))
          AND (wanted['failed'] = '' OR (failures > 0) = (wanted['failed'] = 'true'))
          AND (wanted['flagged'] = '' OR notEmpty(flags) = (wanted['flagged'] = 'true'))
          AND (wanted['flag'] = '' OR has(flags, wanted['flag']))
          AND (wanted['out_of_hours'] = '' OR out_of_hours = (wanted['out_of_hours'] = 'true'))
          AND (wanted['topic'] = '' OR has(if(empty(topics), ['-'], topics), wanted['topic']))
          AND (wanted['min_active_ms'] = '' OR active_ms >= toUInt64OrZero(wanted['min_active_ms']))
          AND (wanted['max_active_ms'] = '' OR active_ms <= toUInt64OrZero(wanted['max_active_ms']))
          AND (wanted['weekday'] = '' OR toDayOfWeek(started_at) = toUInt8OrZero(wanted['weekday']))
          AND (wanted['hour'] = '' OR toHour(started_at) = toUInt8OrZero(wanted['hour']))
          AND (wanted['search'] = '' OR conversation_id IN (
              SELECT conversation_id
              FROM messages FINAL
              WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
                AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
                AND wanted['search'] != ''
                AND position(translateUTF8(lowerUTF8(text), 'áéíóúü', 'aeiouu'), translateUTF8(lowerUTF8(wanted['search']), 'áéíóúü', 'aeiouu')) > 0))
          AND (wanted['model'] = '' OR has(models, if(wanted['model'] = '-', '', wanted['model'])))
          AND (wanted['unanswered_topic'] = '' OR conversation_id IN (
              SELECT conversation_id
              FROM messages FINAL
              WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
                AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
                AND wanted['unanswered_topic'] != ''
                AND NOT answered AND if(topic = '', '-', topic) = wanted['unanswered_topic']))
          AND (wanted['rated'] = '' OR conversation_id IN (
              SELECT conversation_id
              FROM ratings FINAL
              WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
                AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
                AND wanted['rated'] != ''
                AND rating = wanted['rated']
                AND (wanted['rated_topic'] = '' OR if(topic = '', '-', topic) = wanted['rated_topic'])))
    )
SELECT
    count()                                         AS conversations,
    sum(message_count)                              AS messages,
    countIf(lead)                                   AS leads,
    countIf(appointment)                            AS appointments,
    countIf(appointment_cancelled)                  AS cancelled_appointments,
    countIf(notEmpty(flags))                        AS flagged,
    sum(active_ms)                                  AS total_active_ms,
    quantilesExactInclusive(0.5, 0.9)(active_ms)    AS active_ms_median_p90
FROM cohort
