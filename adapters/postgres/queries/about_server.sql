SELECT current_setting('server_version_num')::integer, clock_timestamp(),
       current_setting('transaction_read_only')::boolean, pg_database_size(current_database())
