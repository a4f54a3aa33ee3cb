package chserver

import (
	"bitacora/adapters/clickhouse/access"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// reviewed are the settings that take any text, and why an analyst may send them. One that a
// new version of the engine brings is to be looked at first.
var reviewed = map[string]string{
	"ai_function_embedding_default_credentials":          "names a collection, of which there is none and which needs a grant",
	"ai_function_text_default_credentials":               "the same",
	"bool_false_representation":                          "a word of the answer",
	"bool_true_representation":                           "a word of the answer",
	"chdb_client_name":                                   "is sent to other servers, which are out of reach",
	"column_names_for_schema_inference":                  "reading formats needs a grant",
	"compatibility":                                      "changes defaults; what a profile sets stays, and no limit's default is one",
	"default_view_definer":                               "making views needs a grant",
	"distributed_cache_file_cache_name":                  "only in ClickHouse's cloud",
	"distributed_plan_force_exchange_kind":               "plans for other servers, which are out of reach",
	"errors_output_format":                               "the format of system.errors, which needs a grant",
	"exclude_materialize_skip_indexes_on_insert":         "inserting needs a grant",
	"filesystem_cache_name":                              "of caches in the configuration, where there is none",
	"force_data_skipping_indices":                        "refuses questions",
	"force_optimize_projection_name":                     "refuses questions",
	"format_csv_null_representation":                     "a word of the answer",
	"format_custom_field_delimiter":                      "a word of the answer",
	"format_custom_result_after_delimiter":               "a word of the answer",
	"format_custom_result_before_delimiter":              "a word of the answer",
	"format_custom_row_after_delimiter":                  "a word of the answer",
	"format_custom_row_before_delimiter":                 "a word of the answer",
	"format_custom_row_between_delimiter":                "a word of the answer",
	"format_json_object_each_row_column_for_object_name": "a column of the answer",
	"format_regexp":                                      "reading formats needs a grant",
	"format_schema_message_name":                         "of a schema, which cannot be named",
	"format_template_resultset_format":                   "a word of the answer",
	"format_template_row_format":                         "a word of the answer",
	"format_template_rows_between_delimiter":             "a word of the answer",
	"format_tsv_null_representation":                     "a word of the answer",
	"function_implementation":                            "chooses between ways to the same result",
	"http_response_headers":                              "of the analyst's own answer; line ends are refused",
	"iceberg_metadata_compression_method":                "tables of Iceberg need a grant",
	"ignore_data_skipping_indices":                       "slower, the same result",
	"input_format_mysql_dump_table_name":                 "reading formats needs a grant",
	"input_format_orc_reader_time_zone_name":             "reading formats needs a grant",
	"insert_deduplication_token":                         "inserting needs a grant",
	"jemalloc_profile_text_output_format":                "of a system table, which needs a grant",
	"local_filesystem_read_method":                       "the same bytes, read in another way",
	"log_comment":                                        "is kept nowhere",
	"metrics_perf_events_list":                           "of the kernel's counters, for the analyst's own question",
	"network_compression_method":                         "is sent to other servers, which are out of reach",
	"output_format_avro_codec":                           "of the answer",
	"output_format_avro_confluent_subject":               "of a registry, whose address cannot be named",
	"output_format_avro_string_column_pattern":           "of the answer",
	"output_format_image_terminal_mode":                  "of the answer",
	"output_format_orc_writer_time_zone_name":            "of the answer",
	"output_format_pretty_grid_charset":                  "of the answer",
	"output_format_sql_insert_table_name":                "a word of the answer",
	"polyglot_dialect":                                   "a language that is not in the library",
	"preferred_optimize_projection_name":                 "another way to the same result",
	"promql_database":                                    "a language that is not in the library",
	"promql_table":                                       "a language that is not in the library",
	"query_cache_tag":                                    "of the analyst's own results",
	"remote_filesystem_read_method":                      "of remote disks, of which there is none",
	"rename_files_after_processing":                      "reading files needs a grant",
	"s3queue_default_zookeeper_path":                     "making tables needs a grant",
	"schema_inference_hints":                             "reading formats needs a grant",
	"send_logs_source_regexp":                            "logs are not sent over HTTP",
	"stream_like_engine_insert_queue":                    "inserting needs a grant",
	"temporary_files_codec":                              "of the analyst's own files, which are counted as written",
	"trace_profile_events_list":                          "of a log that is not kept",
	"url_base":                                           "reading addresses needs a grant",
	"default_database_engine":                            "obsolete",
}

// textual lists the settings that take any text: those to which nothing is nonsense.
func (g *target) textual(t *testing.T) (names []string) {
	t.Helper()
	for _, name := range g.lines(t, "SELECT name FROM system.settings WHERE NOT is_obsolete AND type NOT IN ('Bool', 'UInt64', 'Int64') ORDER BY name") {
		for _, nonsense := range []string{"~nonsense~", "{'~nonsense~': '1'}"} {
			a := g.ask(t, access.App, "SELECT 1", name, nonsense)
			// Without quotes that it wants, a text that is taken has not been read as one of a list.
			if a.status == http.StatusOK || a.code() == "452" {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

func TestEveryTextIsReviewed(t *testing.T) {
	g := newTarget(t)
	list := g.textual(t)
	if len(list) < 60 {
		t.Fatalf("%d settings take a text", len(list))
	}
	for _, name := range list {
		fixed := g.ask(t, access.Analyst, "SELECT 1", name, "~nonsense~").code() == "452" ||
			g.ask(t, access.Analyst, "SELECT 1", name, "{'~nonsense~': '1'}").code() == "452"
		if why := reviewed[name]; fixed == (why != "") {
			t.Errorf("%s is fixed: %v; reviewed: %q", name, fixed, why)
		}
	}
}

// limits asks whether those of an analyst's session are kept.
const limits = "SELECT getSetting('readonly') >= 1, getSetting('max_execution_time') BETWEEN 1 AND 60, getSetting('max_memory_usage') BETWEEN 1 AND 500000000," +
	" getSetting('max_memory_usage_for_user') = 750000000, getSetting('max_result_rows') BETWEEN 1 AND 5000000, getSetting('max_result_bytes') BETWEEN 1 AND 1073741824," +
	" getSetting('max_concurrent_queries_for_user') = 10, getSetting('max_sessions_for_user') = 20, getSetting('max_threads') BETWEEN 1 AND 16," +
	" getSetting('max_temporary_data_on_disk_size_for_query') BETWEEN 1 AND 2147483648, getSetting('max_temporary_data_on_disk_size_for_user') = 4294967296," +
	" getSetting('ast_fuzzer_runs') = 0, getSetting('max_untracked_memory') = 4194304 FORMAT JSONCompactEachRow"

func TestNoSettingLifts(t *testing.T) {
	long(t)
	requireLandlock(t)
	g := newTarget(t)
	before := g.files(t)
	type attempt struct{ sql, name, value string }
	var attempts []attempt
	texts := g.textual(t)
	for _, name := range g.lines(t, "SELECT name FROM system.settings ORDER BY name") {
		values := []string{"0", "18446744073709551615"}
		if slices.Contains(texts, name) {
			values = []string{g.inside, "build.hidden", "throwIf(1, (SELECT any(s) FROM build.hidden))", "groupUniqArray",
				"{'build.shown': 'throwIf(1, (SELECT any(s) FROM build.hidden))', 'shown': 'throwIf(1, s)'}", "http://" + g.words.Replace("HOST") + "/"}
		}
		for _, value := range values {
			quoted := "'" + strings.ReplaceAll(value, "'", `\'`) + "'"
			if strings.HasPrefix(value, "{") {
				quoted = value
			}
			attempts = append(attempts,
				attempt{limits, name, value},
				attempt{"SELECT * FROM shown, distinct", name, value},
				attempt{"SELECT * FROM (SELECT * FROM shown, distinct SETTINGS " + name + " = " + quoted + ")", "", ""},
				attempt{"WITH c AS (SELECT s FROM distinct WHERE (SELECT max(n) FROM shown) < 3 SETTINGS " + name + " = " + quoted + ") SELECT toUInt64(s) FROM c", "", ""})
		}
	}
	inParallel(4, attempts, func(try attempt) {
		var options []string
		if try.name != "" {
			options = []string{try.name, try.value}
		}
		a := g.attack(t, try.sql, options...)
		if try.sql == limits && a.status == http.StatusOK && strings.Contains(a.body, "false") {
			t.Errorf("%s = %s: %s", try.name, try.value, a.body)
		}
	})
	t.Logf("%d attempts", len(attempts))
	for _, options := range [][]string{
		{"profile", "app"}, {"profile", "default"}, {"compatibility", "19.1"}, {"compatibility", "22.3"}, {"session_id", "s"}, {"role", "app"}, {"database", "build"},
	} {
		a := g.attack(t, limits, options...)
		if a.status == http.StatusOK && strings.Contains(a.body, "false") {
			t.Errorf("%q: %s", options, a.body)
		}
	}
	// In a session, a setting outlives its question.
	for _, set := range []string{"SET max_execution_time = 0", "SET profile = 'app'", "SET readonly = 0", "SET additional_table_filters = {'build.shown': '1'}", "SET max_memory_usage = 0"} {
		g.attack(t, set, "session_id", "kept")
		if a := g.attack(t, limits, "session_id", "kept"); a.status != http.StatusOK || strings.Contains(a.body, "false") {
			t.Errorf("after %s: %d %s", set, a.status, a.body)
		}
	}
	g.unharmed(t, before)
}
