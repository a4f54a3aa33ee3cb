-- The cohort of a range of days: days of the business zone, both included, and the clinic's opening
-- hours. Its SELECT is that of the view cohort, with these values in place of the parameters.
-- The days are texts, since ClickHouse reads 2026-02-30 as a day of March.
CREATE OR REPLACE VIEW {views}.cohort_days
(
    {columns of conversations},
    out_of_hours Bool COMMENT 'It started while the clinic was closed, by its opening hours when the server started' -- of started_at
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS {cohort of days}
  AND NOT (SELECT throwIf(
      toString(toDateOrZero({from_day:String})) != {from_day:String}
      OR toString(toDateOrZero({to_day:String})) != {to_day:String}
      OR {from_day:String} > {to_day:String},
      concat('from_day ', {from_day:String}, ' and to_day ', {to_day:String}, ' are not two days in their order, as 2026-11-01 and 2026-11-30')))
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The conversations that started on the days of a range, both included, and match a filter: cohort_days(from_day, to_day, filter), all three needed. It counts as the dashboard does. Do not write today() - 30 for the last 30 days: with today they begin at today() - 29'
