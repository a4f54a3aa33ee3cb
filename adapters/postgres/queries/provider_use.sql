INSERT INTO provider_usage (day, tokens_in, tokens_out) VALUES ($1::date, $2, $3)
ON CONFLICT (day) DO UPDATE
SET tokens_in = provider_usage.tokens_in + excluded.tokens_in, tokens_out = provider_usage.tokens_out + excluded.tokens_out
