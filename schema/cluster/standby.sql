-- Of the first start of a server with a standby, which follows it as a role that does nothing else.
\set password `cat /run/secrets/database_password`
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
-- By which the program names a standby that is away.
GRANT pg_read_all_stats TO bitacora;
-- From the first start on, a commit waits until the standby has it.
ALTER SYSTEM SET synchronous_standby_names = '*';
