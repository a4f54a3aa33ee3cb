SELECT slug, topic, service, aspect, open, questions, answer, english
FROM answers
ORDER BY place
