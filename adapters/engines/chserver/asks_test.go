package chserver

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

// What BI tools, drivers and people send must work.
func TestAnalystAsks(t *testing.T) {
	shared.must(t, "CREATE TABLE asked (day Date, topic LowCardinality(String), file String, n UInt64) ENGINE = MergeTree ORDER BY day",
		"INSERT INTO asked SELECT toDate('2026-01-01') + number, ['a', 'b'][number % 2 + 1], 'f', number FROM numbers(10)",
		"CREATE VIEW asked_view AS SELECT day, topic, n FROM asked",
		"CREATE VIEW asked_from AS SELECT n FROM asked WHERE n >= {low:UInt64}")
	questions := map[string]string{
		"SELECT 1": "1\n",
		"SELECT topic, sum(n) FROM asked_view GROUP BY topic WITH TOTALS ORDER BY topic":                            "a\t20\nb\t25\n\n\t45\n",
		"SELECT topic, sum(n) AS total FROM asked_view WHERE day >= {from:Date} GROUP BY topic ORDER BY topic;":     "a\t20\nb\t25\n",
		"WITH t AS (SELECT * FROM asked_view) SELECT count() FROM t AS x JOIN asked_view AS y USING (day)":          "10\n",
		"SELECT count() FROM asked_from(low = 5)":                                                                   "5\n",
		"SELECT file FROM asked LIMIT 1":                                                                            "f\n",
		"SELECT n AS `conversions / day` FROM asked ORDER BY `conversions / day` DESC LIMIT 1":                      "9\n",
		"SELECT 'file(''x'')', 'system.processes' FROM numbers(1) -- file('x')":                                     "file(\\'x\\')\tsystem.processes\n",
		"SELECT arrayMap(x -> x + 1, [1, 2]), quantile(0.5)(n) FROM asked":                                          "[2,3]\t4.5\n",
		"SELECT * APPLY (sum) FROM (SELECT n FROM asked)":                                                           "45\n",
		"SELECT number FROM numbers(2) WHERE number IN (SELECT n FROM asked) ORDER BY number":                       "0\n1\n",
		"SELECT toStartOfMonth(day) AS m, count() FROM asked GROUP BY m ORDER BY m WITH FILL STEP INTERVAL 1 MONTH": "2026-01-01\t10\n",
		"SHOW TABLES LIKE 'asked_view'":                                                                             "asked_view\n",
		"SHOW DATABASES":                                                                                            "",
		"SHOW CREATE TABLE asked":                                                                                   "",
		"DESCRIBE TABLE asked_view":                                                                                 "",
		"EXISTS TABLE asked":                                                                                        "1\n",
		"EXPLAIN SELECT * FROM asked":                                                                               "",
		"SELECT name FROM system.databases WHERE name = 'bitacora'":                                                 "bitacora\n",
		"SELECT name FROM system.tables WHERE database = 'bitacora' AND name = 'asked'":                             "asked\n",
		"SELECT system.columns.name FROM system.columns WHERE table = 'asked' ORDER BY position LIMIT 1":            "day\n",
		"SELECT table_name FROM information_schema.tables WHERE table_name = 'asked'":                               "asked\n",
		"SELECT toUnixTimestamp('2026-11-01 00:00:00'), toDateTime(1793509200)":                                     "1793509200\t2026-11-01 00:00:00\n",
		// Grafana's $__timeInterval(started_at), of a day: the dictionary warns of it.
		"SELECT toStartOfInterval(toDateTime('2026-11-01 12:00:00'), INTERVAL 86400 second)": "2026-10-31 19:00:00\n",
		"SELECT today() = toDate(now('America/Panama'))":                                     "1\n",
		"SELECT currentDatabase(), currentUser()":                                            "bitacora\tanalyst\n",
	}
	for sql, want := range questions {
		a := shared.post(t, access.Analyst, sql, "param_from", "2026-01-01")
		if a.status != http.StatusOK || want != "" && a.body != want {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
	if a := shared.request(t, http.MethodGet, access.Analyst, nil, nil, "query", "SELECT sum(n) FROM asked FORMAT JSON"); a.status != 200 || !strings.Contains(a.body, `"rows": 1`) {
		t.Errorf("GET: %d %s", a.status, a.body)
	}
	if a := shared.post(t, access.Analyst, "SELECT * FROM asked FORMAT Parquet"); a.status != 200 || !strings.HasPrefix(a.body, "PAR1") {
		t.Errorf("Parquet: %d", a.status)
	}
	if a := shared.post(t, access.Analyst, "SELEC 1"); a.code() != "62" || !strings.Contains(a.body, "Syntax error: failed at position 1") {
		t.Errorf("a mistake is not explained: %s", a.body)
	}
	c := dial(t, shared, access.Analyst, compressions["lz4"])
	var sum uint64
	if err := c.QueryRow(t.Context(), "SELECT sum(n) FROM asked WHERE n > ?", 5).Scan(&sum); err != nil || sum != 30 {
		t.Errorf("clickhouse-go: %d, %v", sum, err)
	}
	var midnight time.Time
	if err := c.QueryRow(t.Context(), "SELECT toDateTime('2026-11-01 00:00:00')").Scan(&midnight); err != nil || midnight.Unix() != 1793509200 {
		t.Errorf("clickhouse-go: midnight is %v, %v", midnight, err)
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("analyst:"+analystPassword))
	if a := shared.request(t, http.MethodGet, access.Analyst, nil, http.Header{"Authorization": {basic}}, "query", "SELECT 1"); a.status != 200 {
		t.Errorf("basic authentication: %d", a.status)
	}
}

// What tools send of themselves is taken. The lines of their sources are those of clickhouse-connect v1.7.2-4-g842e4131,
// clickhouse-go v2.48.0-36-g0c09672d, grafana/clickhouse-datasource v4.20.0-29-g1d04063a, clickhouse-java
// v0.10.0-45-gf3c6f971, metabase-clickhouse-driver 1.53.4-2-gc628179 and clickhouse-js 1.18.4-204-g847809e6. Where
// they send compress=1, this sends 0, and reads the answer.
func TestToolsAreServed(t *testing.T) {
	g := newTarget(t)
	for tool, options := range map[string][]string{
		// clickhouse_connect/driver/_backend/http_sync.py:294 to 306; httpcommon.py:199, 248, 274;
		// orchestration.py:136; clickhouse_connect/driver/httpclient.py:183; constants.py:1. Superset asks by it.
		"clickhouse-connect": {"session_id", "s", "wait_end_of_query", "1", "send_progress_in_http_headers", "1", "http_headers_progress_interval_ms", "120000",
			"enable_http_compression", "1", "client_protocol_version", "54405", "cancel_http_readonly_queries_on_client_close", "1", "date_time_input_format", "best_effort",
			"query_id", "q1", "database", "bitacora"},
		// clickhouse-go: conn_http.go:179, 201, 202, 680; context.go:240 adds five seconds to a deadline. Grafana asks by it
		// with gzip: pkg/plugin/driver.go:201 to 204.
		"clickhouse-go, Grafana": {"default_format", "Native", "client_protocol_version", "54460", "database", "bitacora", "max_execution_time", "65", "query_id", "q2"},
		// conn_http_query.go:53.
		"clickhouse-go, LZ4": {"default_format", "Native", "client_protocol_version", "54460", "database", "bitacora", "compress", "0"},
		// clickhouse-http-client, ClickHouseHttpConnection.java:109 to 151. That DBeaver asks so for 200 rows is assumed.
		"clickhouse-java 1": {"compress", "0", "extremes", "0", "result_overflow_mode", "throw", "max_result_rows", "200", "query_id", "q3"},
		// jdbc-v2, StatementImpl.java:766 to 774; Metabase: src/metabase/driver/clickhouse.clj:101.
		"clickhouse-java 2, Metabase": {"compress", "0", "result_overflow_mode", "break", "max_result_rows", "9223372036854775807", "session_timezone", "America/Panama", "query_id", "q4"},
		// packages/client-common/src/utils/connection.ts:36, url.ts:61.
		"clickhouse-js": {"query_id", "q5", "enable_http_compression", "1", "database", "bitacora"},
		// Assumptions: no source of Tableau's connector was read, and the others are set by users of the clients above.
		"assumed of Tableau": {"session_id", "t", "join_use_nulls", "1", "join_algorithm", "auto", "output_format_json_quote_64bit_integers", "0"},
		"assumed of users of clients": {"session_id", "u", "session_timeout", "60", "buffer_size", "10485760", "max_result_rows", "1000", "result_overflow_mode", "throw", "log_queries", "1", "log_comment", "x",
			"send_progress_in_http_headers", "1", "http_headers_progress_interval_ms", "110000", "output_format_json_quote_64bit_integers", "0"},
		"by hand": {"max_rows_to_read", "1000000000", "max_bytes_before_external_sort", "100000000", "max_bytes_before_external_group_by", "100000000", "date_time_output_format", "iso",
			"max_memory_usage", "100000000", "max_threads", "2", "join_use_nulls", "1", "max_block_size", "1000", "use_query_cache", "1", "optimize_read_in_order", "1", "readonly", "2"},
	} {
		t.Run(tool, func(t *testing.T) {
			a := g.ask(t, access.Analyst, "SELECT sum(n) FROM shown WHERE n > {from:UInt64} FORMAT TSV", append(options, "param_from", "0")...)
			if a.status != http.StatusOK || a.body != "3\n" {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	for sql, want := range map[string]string{
		"SELECT sum(n) FROM shown SETTINGS max_threads = 1, join_algorithm = 'hash'":             "3\n",
		"SELECT count() FROM asked(low = 2)":                                                     "1\n",
		"SELECT name FROM system.tables WHERE database = 'bitacora' AND name = 'shown'":          "shown\n",
		"SELECT table, name FROM system.columns WHERE database = 'bitacora' AND table = 'shown'": "shown\tn\n",
		"SELECT name FROM system.databases WHERE name LIKE 'b%'":                                 "bitacora\n",
		"SHOW TABLES LIKE 'shown'":                                                               "shown\n",
		"SELECT currentUser(), currentDatabase(), timezone()":                                    "analyst\tbitacora\tAmerica/Panama\n",
		"SELECT value FROM system.settings WHERE name = 'max_execution_time'":                    "60\n",
	} {
		if a := g.ask(t, access.Analyst, sql); a.body != want {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
}
