-- name: provider_use
INSERT INTO provider_usage (day, tokens_in, tokens_out) VALUES ($1::date, $2, $3)
ON CONFLICT (day) DO UPDATE
SET tokens_in = provider_usage.tokens_in + excluded.tokens_in, tokens_out = provider_usage.tokens_out + excluded.tokens_out

-- name: provider_used
SELECT coalesce(sum(tokens_in), 0)::bigint, coalesce(sum(tokens_out), 0)::bigint FROM provider_usage WHERE day = $1::date
