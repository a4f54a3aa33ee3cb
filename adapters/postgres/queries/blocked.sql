-- Statements of this program that wait for a lock, and who holds it.
SELECT a.pid, left(regexp_replace(a.query, '\s+', ' ', 'g'), 80), b.pid, left(regexp_replace(b.query, '\s+', ' ', 'g'), 80)
  FROM pg_stat_activity a
  JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS blocker(pid) ON true
  JOIN pg_stat_activity b ON b.pid = blocker.pid
 WHERE a.application_name = 'bitacora' AND a.datname = current_database()
