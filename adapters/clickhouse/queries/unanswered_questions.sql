-- What was asked when replies knew no answer, the ten most frequent of each topic: the visitor's
-- message before the reply. Texts that differ in case, accents and punctuation only are one.
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
    reply.topic AS topic,
    argMax(question.text, (question.sent_at, question.conversation_id))            AS asked,
    count()                                                                        AS times,
    max(question.sent_at)                                                          AS last_asked_at,
    argMax(question.conversation_id, (question.sent_at, question.conversation_id)) AS last_conversation_id
FROM
(
    SELECT conversation_id, text, sent_at, cityHash64(conversation_id, ordinal) AS place
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      -- Most conversations have no such reply, and their messages need not be joined. The start
      -- is cheaper to look up than the id; those that share one are told apart by the join.
      AND conversation_started_at IN (SELECT started_at FROM cohort WHERE unanswered > 0)
      AND sender = 'visitor' AND text != ''
) AS question
INNER JOIN
(
    SELECT conversation_id, cityHash64(conversation_id, toUInt32(ordinal - 1)) AS question_place, if(topic = '', '-', topic) AS topic
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
      AND (empty(wanted) OR conversation_id IN (SELECT conversation_id FROM cohort))
      AND NOT answered
) AS reply
-- One number is joined faster than an id and an ordinal.
ON reply.question_place = question.place
WHERE reply.conversation_id = question.conversation_id
GROUP BY
    topic,
    trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(question.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS same
ORDER BY topic, times DESC, last_asked_at DESC, same
LIMIT 10 BY topic
