-- How many conversations started in [from, to), as far as the filter lets them through: the
-- total of the list, or with a calendar month's ends the use of the monthly limit.
SELECT count() AS conversations
FROM cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})
