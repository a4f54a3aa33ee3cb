-- How many conversations started in [from, to): the total of the list, or with a calendar
-- month's ends the use of the monthly limit.
SELECT count() AS conversations
FROM conversations FINAL
WHERE started_at >= {from:DateTime64(3, 'UTC')}
  AND started_at <  {to:DateTime64(3, 'UTC')}
