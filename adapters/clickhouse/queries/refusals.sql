-- How many sessions found the month full in [from, to).
SELECT count() AS refusals
FROM chat_refusals FINAL
WHERE refused_at >= {from:DateTime64(3, 'UTC')}
  AND refused_at <  {to:DateTime64(3, 'UTC')}
