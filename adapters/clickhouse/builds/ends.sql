-- The last event of every run, and the latest retry.
SELECT groupArrayIf(toInt64(run.1), run.1 > 0), groupArrayIf(toString(run.2), run.1 > 0), toInt64(max(retry))
FROM (SELECT max(last_event) AS run, max(retried) AS retry FROM applied GROUP BY first)
