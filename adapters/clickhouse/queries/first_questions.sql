-- The first question of each of some conversations that started in [from, to]: the visitor's first message
-- whose reply takes it for more than small talk, otherwise the first one; cut to 120 characters.
SELECT
    conversation_id,
    argMin(if(lengthUTF8(text) > 120, concat(substringUTF8(text, 1, 119), '…'), text), (pleasantry, ordinal)) AS question
FROM
(
    SELECT
        conversation_id,
        ordinal,
        sender,
        text,
        has({small_talk:Array(String)}, leadInFrame(toString(intent)) OVER (PARTITION BY conversation_id ORDER BY ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS pleasantry
    FROM messages FINAL
    WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')}
      AND conversation_started_at <= {to:DateTime64(3, 'UTC')}
      AND has({conversations:Array(String)}, conversation_id)
)
WHERE sender = 'visitor' AND text != ''
GROUP BY conversation_id
