-- The live questions of the conversations that started in [from, to) of whose meaning the assistant
-- was less sure than a bound, or that it did not answer: the visitor's messages before such replies.
-- Texts that differ in case, accents and punctuation only are one, which tells of the latest; its
-- label is the latest of any such message, also of another time.
SELECT
    asked.latest.1  AS conversation_id,
    asked.latest.2  AS ordinal,
    asked.latest.3  AS asked_at,
    asked.latest.4  AS text,
    asked.latest.5  AS reply,
    asked.latest.6  AS intent,
    asked.latest.7  AS confidence,
    asked.latest.8  AS runner_up,
    asked.latest.9  AS runner_up_confidence,
    asked.latest.10 AS answer,
    asked.latest.11 AS likelihood,
    asked.latest.12 AS next_answer,
    asked.latest.13 AS next_likelihood,
    asked.latest.14 AS answered,
    asked.times     AS times,
    labelled.latest.1 AS kind,
    labelled.latest.2 AS label,
    labelled.latest.3 AS labelled_at
FROM
(
    SELECT
        trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(question.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS same,
        argMax(
            (
                question.conversation_id, question.ordinal, question.sent_at, question.text, reply.text, reply.intent,
                ifNull(reply.confidence, 0), reply.runner_up, ifNull(reply.runner_up_confidence, 0),
                reply.answer, ifNull(reply.likelihood, 0), reply.next_answer, ifNull(reply.next_likelihood, 0), assumeNotNull(reply.answered)
            ),
            (question.sent_at, question.conversation_id, question.ordinal)
        ) AS latest,
        count() AS times
    FROM
    (
        SELECT conversation_id, ordinal, sent_at, text
        FROM messages FINAL
        WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
          AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
          AND sender = 'visitor' AND text != ''
    ) AS question
    INNER JOIN
    (
        SELECT conversation_id, toUInt32(ordinal - 1) AS asked, text, intent, confidence, runner_up, runner_up_confidence,
            answer, likelihood, next_answer, next_likelihood, answered
        FROM messages FINAL
        WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
          AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
          AND sender = 'assistant'
          AND (confidence < {below:Float64} OR NOT answered)
          AND conversation_id IN (
              SELECT conversation_id
              FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
              WHERE channel NOT IN ('demo', 'import'))
    ) AS reply
    ON reply.conversation_id = question.conversation_id AND reply.asked = question.ordinal
    GROUP BY same
) AS asked
LEFT JOIN
(
    SELECT
        trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(message.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS same,
        argMax((label.kind, label.label, label.labelled_at), label.position) AS latest
    FROM (SELECT * FROM labels FINAL) AS label
    INNER JOIN
    (
        SELECT conversation_id, ordinal, text
        FROM messages FINAL
        WHERE conversation_started_at IN (SELECT conversation_started_at FROM labels)
          AND sender = 'visitor' AND text != ''
    ) AS message
    ON message.conversation_id = label.conversation_id AND message.ordinal = label.ordinal
    GROUP BY same
) AS labelled
ON labelled.same = asked.same
ORDER BY asked_at DESC, conversation_id DESC, ordinal DESC
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
