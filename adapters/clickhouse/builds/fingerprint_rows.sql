-- The rows behind one line of the fingerprint.
SELECT {key} AS key, cityHash64({values}) AS hash
FROM {table} FINAL
WHERE toDate({start}) = toDate({day:String}) AND toString({kind}) = {kind:String}
  AND NOT has(splitByChar('\n', {without:String}), {subject})
  AND (bitTest({shares:UInt32}, reinterpretAsUInt32(reverse(substring(MD5({subject}), 1, 4))) % 30)
    OR {subjects:String} != '' AND {subject} IN (SELECT arrayJoin(splitByChar('\n', {subjects:String}))))
ORDER BY key
