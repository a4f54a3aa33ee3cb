-- What the staff labelled, by the latest label of all messages that differ in case, accents and
-- punctuation only: the latest text, and the label. Whose texts are gone are not among them, nor
-- is what was skipped.
SELECT
    argMax(message.text, (said.position, message.conversation_id, message.ordinal)) AS text,
    argMax(said.kind, said.position)  AS kind,
    argMax(said.label, said.position) AS label
FROM (SELECT * FROM labels FINAL) AS said
INNER JOIN
(
    SELECT conversation_id, ordinal, text
    FROM messages FINAL
    WHERE conversation_started_at IN (SELECT conversation_started_at FROM labels)
      AND sender = 'visitor' AND text != ''
) AS message
ON message.conversation_id = said.conversation_id AND message.ordinal = said.ordinal
GROUP BY trimBoth(replaceRegexpAll(translateUTF8(lowerUTF8(message.text), 'áéíóúü', 'aeiouu'), '[^\\p{L}\\p{N}]+', ' '))
HAVING kind != 'skipped'
ORDER BY kind, label, text
