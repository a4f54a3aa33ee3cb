-- The last position up to which runs follow on one another from the log's beginning.
SELECT arrayFold((through, run) -> if(run.1 <= through + 1, greatest(through, run.2), through),
                 arraySort(groupArray((first, toUInt64(last)))), toUInt64(0))
FROM applied
