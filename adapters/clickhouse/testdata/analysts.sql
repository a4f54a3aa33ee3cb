CREATE SETTINGS PROFILE OR REPLACE analysts_bitacora SETTINGS
    readonly = 2 CONST,
    cancel_http_readonly_queries_on_client_close = 1,
    implicit_select = 0,
    session_timezone = 'America/Panama',
    max_execution_time = 60 MIN 1 MAX 60,
    max_memory_usage = 715827882 MIN 1 MAX 715827882,
    max_result_rows = 5000000 MIN 1 MAX 5000000,
    max_result_bytes = 1073741824 MIN 1 MAX 1073741824,
    max_threads = 16 MIN 1 MAX 16,
    max_temporary_data_on_disk_size_for_query = 2147483648 MIN 1 MAX 2147483648,
    max_memory_usage_for_user = 1073741824 CONST,
    max_temporary_data_on_disk_size_for_user = 4294967296 CONST,
    max_concurrent_queries_for_user = 10 CONST,
    max_sessions_for_user = 20 CONST,
    max_concurrent_queries_for_all_users CONST,
    max_untracked_memory CONST,
    memory_overcommit_ratio_denominator CONST,
    memory_overcommit_ratio_denominator_for_user CONST,
    ast_fuzzer_runs CONST,
    ast_fuzzer_any_query CONST,
    allow_get_client_http_header CONST,
    format_schema CONST,
    format_schema_source CONST,
    format_template_row CONST,
    format_template_resultset CONST,
    output_format_schema CONST,
    input_format_record_errors_file_path CONST,
    cluster_for_parallel_replicas CONST,
    format_avro_schema_registry_url CONST,
    additional_table_filters CONST,
    additional_result_filter CONST,
    parallel_replicas_custom_key CONST,
    implicit_table_at_top_level CONST,
    count_distinct_implementation CONST,
    max_local_read_bandwidth CONST;
CREATE ROLE IF NOT EXISTS analysts_bitacora;
ALTER ROLE analysts_bitacora SETTINGS PROFILE analysts_bitacora;
GRANT SELECT ON `bitacora`.* TO analysts_bitacora;
GRANT SELECT ON system.processes TO analysts_bitacora;
GRANT SELECT ON system.parts TO analysts_bitacora;
GRANT SELECT ON information_schema.* TO analysts_bitacora;
GRANT SELECT ON INFORMATION_SCHEMA.* TO analysts_bitacora;
CREATE ROW POLICY OR REPLACE analysts_bitacora ON system.processes USING user = currentUser() TO analysts_bitacora;
CREATE USER OR REPLACE analyst IDENTIFIED WITH sha256_hash BY 'afd1368cbf1509870eecbbce3c3bc4614e5d10e9f03aa6590db688d4cffbe86b' DEFAULT ROLE analysts_bitacora;
GRANT analysts_bitacora TO analyst;
