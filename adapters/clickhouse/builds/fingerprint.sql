-- What a table holds by day and kind: two builds that agree in every line hold the same rows.
SELECT toString(toDate({start})) AS day, toString({kind}) AS kind, count() AS found, sum({amount}) AS amount, sum(cityHash64({values})) AS hash
FROM {table} FINAL
WHERE NOT has(splitByChar('\n', {without:String}), {subject})
  AND (bitTest({shares:UInt32}, reinterpretAsUInt32(reverse(substring(MD5({subject}), 1, 4))) % 30)
    OR {subjects:String} != '' AND {subject} IN (SELECT arrayJoin(splitByChar('\n', {subjects:String}))))
GROUP BY day, kind
ORDER BY day, kind
