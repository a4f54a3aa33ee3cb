-- How many questions there are to be labelled, and how many of them are.
SELECT count() AS questions, countIf(kind != '') AS labelled
FROM ({questions})
