-- The rows behind one line of the fingerprint.
SELECT {key} AS key, cityHash64({values}) AS hash
FROM {table} FINAL
WHERE toDate({start}) = toDate({day:String}) AND toString({kind}) = {kind:String}
  AND NOT has(splitByChar('\n', {without:String}), {subject})
ORDER BY key
