-- What became of answers that were taught at some instants, in milliseconds since 1970: the replies
-- that came from each since, and all replies of some days before and after, with those that knew no
-- answer.
SELECT
    taught.1 AS slug,
    countIf(has(sources, concat('answer/', taught.1)) AND sent >= taught.2)         AS uses,
    countIf(sent < taught.2 AND sent >= taught.2 - {span:Int64})                    AS replies_before,
    countIf(sent < taught.2 AND sent >= taught.2 - {span:Int64} AND NOT answered)   AS unanswered_before,
    countIf(sent >= taught.2 AND sent < taught.2 + {span:Int64})                    AS replies_after,
    countIf(sent >= taught.2 AND sent < taught.2 + {span:Int64} AND NOT answered)   AS unanswered_after
FROM
(
    SELECT toUnixTimestamp64Milli(sent_at) AS sent, sources, answered
    FROM messages FINAL
    WHERE sender = 'assistant'
      AND sent_at >= fromUnixTimestamp64Milli(arrayMin({at:Array(Int64)}) - {span:Int64})
)
ARRAY JOIN arrayZip({slug:Array(String)}, {at:Array(Int64)}) AS taught
GROUP BY slug
ORDER BY slug
