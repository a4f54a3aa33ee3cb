-- name: about_log
SELECT coalesce((SELECT event_id::text FROM events WHERE position = 1), ''),
       (SELECT epoch::text FROM log_epoch),
       (SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1)

-- name: about_server
-- Whoever writes one log may take the role by which every log of the server is written.
SELECT current_setting('server_version_num')::integer, clock_timestamp(),
       current_setting('transaction_read_only')::boolean, pg_database_size(d.datname),
       CASE WHEN has_database_privilege('public', d.oid, 'CONNECT') THEN l.others ELSE 0 END,
       current_setting('synchronous_standby_names'), s.attached, s.synchronous, pg_has_role('pg_read_all_stats', 'USAGE'),
       (SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)::bigint
          FROM pg_replication_slots WHERE slot_name = 'bitacora_offsite'),
       current_setting('max_slot_wal_keep_size') <> '-1'
  FROM pg_database d,
       (SELECT count(*) AS attached, count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous
          FROM pg_stat_replication) AS s,
       LATERAL (SELECT count(DISTINCT dbid) AS others
                  FROM pg_shdepend
                 WHERE refclassid = 'pg_authid'::regclass AND refobjid = to_regrole('bitacora_writer') AND dbid NOT IN (0, d.oid)) AS l
 WHERE d.datname = current_database()

-- name: key_binding
SELECT e.key_epoch, k.key_check, EXISTS (SELECT FROM subject_keys)
  FROM log_epoch e LEFT JOIN key_epochs k USING (key_epoch)
