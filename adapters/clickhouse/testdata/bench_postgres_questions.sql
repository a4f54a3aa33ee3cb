SELECT count(*), sum(message_count), count(*) FILTER (WHERE lead), count(*) FILTER (WHERE appointment), count(*) FILTER (WHERE cancelled),
       count(*) FILTER (WHERE flagged), sum(active_ms), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY active_ms)
  FROM conversations WHERE started_at >= $1 AND started_at < $2;
SELECT count(*), sum(message_count), count(*) FILTER (WHERE lead), count(*) FILTER (WHERE appointment), count(*) FILTER (WHERE cancelled),
       count(*) FILTER (WHERE flagged), sum(active_ms), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY active_ms)
  FROM conversations WHERE started_at >= $1::timestamptz - ($2::timestamptz - $1::timestamptz) AND started_at < $1;
SELECT date_trunc('day', started_at, 'America/Panama'), count(*), sum(message_count), count(*) FILTER (WHERE lead), count(*) FILTER (WHERE appointment)
  FROM conversations WHERE started_at >= $1 AND started_at < $2 GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM conversations WHERE started_at >= greatest($1, date_trunc('month', $2::timestamptz, 'America/Panama')) AND started_at < $2;
SELECT count(*) FROM conversations WHERE started_at >= $1 AND started_at < $2;
SELECT * FROM conversations WHERE started_at >= $1 AND started_at < $2 ORDER BY started_at DESC, conversation_id DESC LIMIT 100;
SELECT count(*), count(*) FILTER (WHERE message_count > 2), count(*) FILTER (WHERE consent), count(*) FILTER (WHERE lead), count(*) FILTER (WHERE appointment)
  FROM conversations WHERE started_at >= $1 AND started_at < $2;
SELECT extract(isodow FROM started_at AT TIME ZONE 'America/Panama'), extract(hour FROM started_at AT TIME ZONE 'America/Panama'), count(*)
  FROM conversations WHERE started_at >= $1 AND started_at < $2 GROUP BY 1, 2;
SELECT topic, count(*), count(*) FILTER (WHERE lead), count(*) FILTER (WHERE appointment), count(*) FILTER (WHERE unanswered)
  FROM conversations, unnest(topics) AS topic WHERE started_at >= $1 AND started_at < $2 GROUP BY 1 ORDER BY 2 DESC;
SELECT regexp_replace(translate(lower(q.text), 'áéíóúü', 'aeiouu'), '[^[:alnum:]]+', ' ', 'g') AS same, count(*), max(q.sent_at)
  FROM messages r JOIN messages q ON q.conversation_id = r.conversation_id AND q.ordinal = r.ordinal - 1
 WHERE r.started_at >= $1 AND r.started_at < $2 AND r.sender = 'assistant' AND NOT r.answered AND q.sender = 'visitor' AND q.text <> ''
 GROUP BY 1 ORDER BY 2 DESC, 3 DESC LIMIT 50;
SELECT model, count(*), percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency_ms), sum(tokens_in), sum(tokens_out), count(*) FILTER (WHERE NOT answered)
  FROM messages WHERE started_at >= $1 AND started_at < $2 AND sender = 'assistant' GROUP BY GROUPING SETS ((model), ())
