SELECT coalesce((SELECT started FROM monthly_quota WHERE month = $1), 0)
