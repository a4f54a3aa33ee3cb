-- The streams with a request about personal data that is not done, or with any, the latest first.
SELECT stream
FROM events
WHERE type IN ('PrivacyRequestReceived', 'PrivacyRequestDone')
GROUP BY stream
HAVING $1 OR count(*) FILTER (WHERE type = 'PrivacyRequestReceived') > count(*) FILTER (WHERE type = 'PrivacyRequestDone')
ORDER BY max(position) DESC
LIMIT $2
