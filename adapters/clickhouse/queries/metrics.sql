-- The metrics of a cohort beside those that the question kpis counts, in its form: what the dashboard divides
-- in Go, and what only analysts ask for. Without conversations a quotient is nan.
SELECT
    -- Messages of either side in a conversation, on average [messages]. Do not take a mean of the means of days: divide sums
    sum(message_count) / count()                                  AS avg_messages_per_conversation,
    -- Share of the conversations with a reachable contact [%]. Do not take a mean of the rates of days: divide sums
    100 * countIf(lead) / count()                                 AS conversion_rate,
    -- Mean active time, in seconds [s]. Do not compare with the median: few long conversations raise the mean
    sum(active_ms) / 1000 / count()                               AS avg_conversation_duration,
    -- Median of the active time, in seconds [s]. Do not take a mean of the medians of days: ask for the whole period
    quantilesExactInclusive(0.5, 0.9)(active_ms)[1] / 1000        AS median_conversation_duration,
    -- Active time that nine of ten conversations do not exceed, in seconds [s]. Do not take a mean of those of days: ask for the whole period
    quantilesExactInclusive(0.5, 0.9)(active_ms)[2] / 1000        AS p90_conversation_duration,
    -- Conversations with a consent [conversations]. Do not take for leads: a consent comes before the contact
    countIf(consent)                                              AS consents,
    -- Messages of visitors in the conversations [messages]. Do not take for questions: "gracias" is one, too
    sum(visitor_messages)                                         AS visitor_messages,
    -- Replies in the conversations without an answer from the content [messages]. Do not take for failures: the visitor got a reply
    sum(unanswered)                                               AS unanswered,
    -- Visitor messages in the conversations that got no reply because the assistant failed [messages]. Do not take for conversations: one may fail often
    sum(failures)                                                 AS failures
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
