-- The questions of a cohort whose answers are to be improved, the most frequent first: what
-- visitors wrote before replies that knew no answer, were rated negative, or rest on a meaning that the
-- assistant was less sure of than a bound. Texts that differ in case, accents and punctuation only are
-- one question, described by the latest of them. It is dismissed if any such message was, also
-- of another time; an answer that was taught settles what was asked until then.
SELECT conversation_id, ordinal, last_asked_at, topic, text, reply, answer, count, unanswered, negative, unsure, settled, total
FROM
(
    WITH message -> trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(message), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' ')) AS plain
    SELECT
        latest.1 AS last_asked_at,
        latest.2 AS conversation_id,
        latest.3 AS ordinal,
        latest.4 AS topic,
        latest.5 AS text,
        latest.6 AS reply,
        latest.7 AS answer,
        times    AS count,
        unanswered,
        negative,
        unsure,
        multiIf(
            same IN (
                SELECT plain(text)
                FROM messages FINAL
                WHERE conversation_started_at IN (SELECT started_at FROM conversations WHERE notEmpty(dismissed_ordinals))
                  AND (conversation_id, ordinal) IN (SELECT conversation_id, arrayJoin(dismissed_ordinals) FROM conversations WHERE notEmpty(dismissed_ordinals))
                  AND sender = 'visitor' AND text != ''), 'dismissed',
            arrayExists((line, at) -> plain(line) = same AND at > toUnixTimestamp64Milli(last_asked_at), {taught:Array(String)}, {taught_at:Array(Int64)}), 'taught',
            '') AS settled,
        count() OVER () AS total
    FROM
    (
        -- Grouped by the text itself first, as most texts are repeated: plain reads each of them once.
        SELECT
            plain(written)      AS same,
            max(latest_written) AS latest,
            sum(written_times)  AS times,
            sum(missing)        AS unanswered,
            sum(displeased)     AS negative,
            sum(doubtful)       AS unsure
        FROM
        (
            SELECT
                question.text AS written,
                max((question.sent_at, question.conversation_id, question.ordinal, reply.topic, question.text, reply.text, reply.answer)) AS latest_written,
                count()                   AS written_times,
                countIf(reply.missing)    AS missing,
                countIf(reply.displeased) AS displeased,
                countIf(reply.doubtful)   AS doubtful
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
                SELECT
                    conversation_id,
                    toUInt32(ordinal - 1)      AS asked,
                    if(topic = '', '-', topic) AS topic,
                    text,
                    substring(arrayFirst(source -> startsWith(source, 'answer/'), sources), 8) AS answer,
                    NOT assumeNotNull(answered) AS missing,
                    ifNull(confidence < {below:Float64}, false) AS doubtful,
                    (conversation_id, ordinal) IN (
                        SELECT conversation_id, ordinal
                        FROM ratings FINAL
                        WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
                          AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
                          AND rating = 'negative') AS displeased
                FROM messages FINAL
                WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
                  AND conversation_started_at <  {to:DateTime64(3, 'UTC')}
                  AND (empty({filter:Map(String, String)}) OR conversation_id IN (
                      SELECT conversation_id
                      FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})))
                  AND sender = 'assistant'
                  AND (missing OR doubtful OR displeased)
            ) AS reply
            ON reply.conversation_id = question.conversation_id AND reply.asked = question.ordinal
            GROUP BY written
        )
        GROUP BY same
    )
    WHERE ({reason:String} = ''
           OR ({reason:String} = 'unanswered' AND unanswered > 0)
           OR ({reason:String} = 'negative' AND negative > 0)
           OR ({reason:String} = 'unsure' AND unsure > 0))
      AND ({state:String} = '' OR (settled = '') = ({state:String} = 'open'))
)
ORDER BY count DESC, last_asked_at DESC, conversation_id DESC, ordinal DESC
LIMIT {limit:UInt64}
SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0
