-- One row in full, every column as text.
SELECT [{texts}] AS columns
FROM {table} FINAL
WHERE toDate({start}) = toDate({day:String}) AND {key} = {key:String}
