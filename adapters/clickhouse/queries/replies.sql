-- How the models replied; - stands for one that is not known. The first row, with an empty model,
-- is about all of them. The percentiles are interpolated, of the replies whose time is known.
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
    by_provider,
    by_model,
    replies,
    unanswered_replies,
    conversations,
    read_tokens,
    written_tokens,
    latency_ms_p50_p90_p99,
    timed_replies
FROM
(
    -- Counted by model first: grouping sets would go over every reply twice.
    SELECT
        if(grouping(named_model) = 1, '', provider)    AS by_provider,
        if(grouping(named_model) = 1, '', named_model) AS by_model,
        sum(replies_of_model)    AS replies,
        sum(unanswered_of_model) AS unanswered_replies,
        sum(tokens_in_of_model)  AS read_tokens,
        sum(tokens_out_of_model) AS written_tokens,
        sum(timed_of_model)      AS timed_replies,
        quantilesExactInclusiveOrDefaultMerge(0.5, 0.9, 0.99)(latency_of_model) AS latency_ms_p50_p90_p99
    FROM
    (
        SELECT
            provider,
            if(model = '', '-', model) AS named_model,
            count()               AS replies_of_model,
            countIf(NOT answered) AS unanswered_of_model,
            sum(tokens_in)        AS tokens_in_of_model,
            sum(tokens_out)       AS tokens_out_of_model,
            count(latency_ms)     AS timed_of_model,
            quantilesExactInclusiveOrDefaultState(0.5, 0.9, 0.99)(latency_ms) AS latency_of_model
        FROM messages FINAL
        WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
          AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
          AND (empty(wanted) OR conversation_id IN (SELECT conversation_id FROM cohort))
          AND sender = 'assistant'
        GROUP BY provider, named_model
    )
    GROUP BY GROUPING SETS ((), (provider, named_model))
) AS reply
LEFT JOIN
(
    SELECT if(model = '', '-', model) AS by_model, count() AS conversations
    FROM cohort
    ARRAY JOIN models AS model
    GROUP BY by_model
) AS opened
USING (by_model)
ORDER BY by_model != '', replies DESC, by_provider, by_model
