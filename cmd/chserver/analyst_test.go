package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretFile is a file within the reach of the engine: what an attack is after.
func secretFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(shared.data, "secret.csv")
	if err := os.WriteFile(path, []byte("s3cr3t\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(path) })
	return path
}

func TestAnalystCannotReachFilesOrOthers(t *testing.T) {
	secret := secretFile(t)
	target := filepath.Join(t.TempDir(), "written")
	shared.must(t, "CREATE TABLE guarded (n UInt64) ENGINE = MergeTree ORDER BY n", "INSERT INTO guarded VALUES (1)",
		"CREATE VIEW guarded_view AS SELECT n FROM guarded WHERE n >= {low:UInt64}")
	// The attacks are real: the app's connection reads the file with one.
	if got := shared.must(t, "SELECT file('"+secret+"')"); got != `s3cr3t\n` {
		t.Fatalf("the function file gave %q", got)
	}
	attacks := []string{
		// Files by the scalar function, in every place of a statement.
		"SELECT file('FILE')",
		"SELECT `file`('FILE')",
		`SELECT "fi\x6ce"('FILE')`,
		"SELECT arrayMap(x -> file(x), ['FILE'])",
		"SELECT * FROM (SELECT file('FILE'))",
		"WITH f AS (SELECT file('FILE') AS s) SELECT * FROM f",
		"WITH (x -> file(x)) AS f SELECT f('FILE')",
		"SELECT 1 WHERE file('FILE') != ''",
		"SELECT 1 ORDER BY file('FILE')",
		"SELECT 1 LIMIT length(file('FILE'))",
		"SELECT 1 UNION ALL SELECT length(file('FILE'))",
		"SELECT count() OVER (PARTITION BY file('FILE')) FROM numbers(1)",
		"SELECT * REPLACE (file(s) AS s) FROM (SELECT 'FILE' AS s)",
		"SELECT * APPLY (file) FROM (SELECT 'FILE' AS s)",
		"SELECT * APPLY file FROM (SELECT 'FILE' AS s)",
		"SELECT * APPLY (x -> file(x)) FROM (SELECT 'FILE' AS s)",
		"SELECT COLUMNS('s') APPLY (`fi\\x6ce`) FROM (SELECT 'FILE' AS s)",
		"SELECT * APPLY /* file */ (file) FROM (SELECT 'FILE' AS s)",
		"SELECT * APPLY ({f:Identifier}) FROM (SELECT 'FILE' AS s)",
		"SELECT {f:Identifier}('FILE')",
		"SELECT catboostEvaluate('FILE', 1)",
		"EXPLAIN SELECT file('FILE')",
		"EXPLAIN SYNTAX SELECT file('FILE')",
		"EXPLAIN AST EXPLAIN SELECT file('FILE')",
		"SELECT * FROM (EXPLAIN SELECT file('FILE'))",
		"DESCRIBE (SELECT file('FILE'))",
		// Files and servers by table functions.
		"SELECT * FROM file('FILE')",
		"SELECT * FROM file('FILE', CSV, 's String')",
		"SELECT * FROM fileCluster('default', 'FILE')",
		"SELECT 1 IN file('FILE', CSV, 's String')",
		"DESCRIBE TABLE file('FILE')",
		"DESCRIBE file('FILE')",
		"EXPLAIN SELECT * FROM file('FILE', CSV, 's String')",
		"EXPLAIN TABLE OVERRIDE mysql('a:1', 'b', 'c', 'd', 'e') COLUMNS (a Int8)",
		"SELECT * FROM url('http://127.0.0.1:1/')",
		"SELECT * FROM s3('http://127.0.0.1:1/a/b')",
		"SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
		"SELECT * FROM remote('127.0.0.1', system.one)",
		"SELECT * FROM filesystem('/')",
		"SELECT * FROM sqlite('FILE', 'x')",
		"SELECT * FROM executable('cat', CSV, 's String')",
		"SELECT * FROM eval('SELECT 1')",
		"SELECT * FROM loop(guarded) LIMIT 1",
		"SELECT * FROM view(SELECT * FROM file('FILE'))",
		"SELECT * FROM 'FILE'",
		"SELECT * FROM `FILE`",
		"SELECT * FROM default.`FILE`",
		"DESCRIBE TABLE `FILE`",
		"EXISTS TABLE default.`FILE`",
		"SHOW CREATE TABLE default.`FILE`",
		"SELECT hasColumnInTable('127.0.0.1:1', 'default', '', 'a', 'b', 'c')",
		"SELECT file('/proc/self/environ')",
		"SELECT * FROM guarded_view(low = length(file('FILE')))",
		// Writing.
		"SELECT 1 INTO OUTFILE 'TARGET'",
		"SELECT 1 INTO OUTFILE 'TARGET' FORMAT CSV",
		"SELECT 1 INTO OUTFILE 'TARGET' AND STDOUT",
		"(SELECT 1 INTO OUTFILE 'TARGET')",
		"EXPLAIN SELECT 1 INTO OUTFILE 'TARGET'",
		"SHOW DATABASES INTO OUTFILE 'TARGET'",
		"INSERT INTO guarded VALUES (2)",
		"INSERT INTO guarded FORMAT CSV\n2",
		"INSERT INTO guarded SELECT 2",
		"INSERT INTO guarded FROM INFILE 'FILE' FORMAT CSV",
		"INSERT INTO FUNCTION file('TARGET', CSV, 'a Int8') VALUES (1)",
		"CREATE TABLE mine (a Int8) ENGINE = Memory",
		"CREATE TEMPORARY TABLE mine (a Int8)",
		"CREATE FUNCTION mine AS x -> file(x)",
		"ALTER TABLE guarded DELETE WHERE 1 SETTINGS mutations_sync = 1",
		"DELETE FROM guarded WHERE 1",
		"DROP TABLE guarded",
		"TRUNCATE TABLE guarded",
		"OPTIMIZE TABLE guarded",
		"RENAME TABLE guarded TO other",
		// Power over the server and over one's own limits.
		"KILL QUERY WHERE 1",
		"SYSTEM SHUTDOWN",
		"SYSTEM STOP MERGES",
		"SET readonly = 0",
		"SET max_execution_time = 0",
		"USE system",
		"BACKUP DATABASE bitacora TO File('TARGET')",
		"ATTACH TABLE x",
		"EXECUTE AS default SELECT 1",
		"SELECT 1; SELECT 2",
		"SELECT 1; DROP TABLE guarded",
		"SELECT 1; KILL QUERY WHERE 1; garbage",
		"SELECT 1 PARALLEL WITH SELECT 2",
		"SELECT 1 SETTINGS readonly = 0",
		"SELECT 1 SETTINGS max_execution_time = 0",
		"SELECT 1 SETTINGS additional_result_filter = 'file(''FILE'') = '''''",
		"SELECT 1 FORMAT Template SETTINGS format_template_row = 'FILE'",
		"SELECT 1 FORMAT Protobuf SETTINGS format_schema = 'FILE:x'",
		// What others ask.
		"SHOW PROCESSLIST",
		"SELECT * FROM system.processes",
		"SELECT * FROM `system`.`processes`",
		"SELECT * FROM (SELECT query FROM system.processes)",
		"SELECT 1 IN system.processes",
		"SELECT * FROM merge('system', 'proc')",
		"SELECT * FROM cluster('default', system.processes)",
		"SELECT * FROM {d:Identifier}.{t:Identifier}",
		"DESCRIBE system.processes",
		"SELECT * FROM system.user_processes",
		"SELECT * FROM system.query_cache",
		"SELECT * FROM system.errors",
		"SELECT * FROM system.stack_trace",
		"SELECT * FROM system.server_settings",
		"SELECT * FROM system.named_collections",
		// Insides.
		"SELECT demangle('x')",
		"SELECT addressToSymbol(1)",
	}
	before := shared.must(t, "SELECT count() FROM system.tables WHERE database = 'bitacora'")
	for _, sql := range attacks {
		sql = strings.NewReplacer("FILE", secret, "TARGET", target).Replace(sql)
		a := shared.post(t, userAnalyst, sql, "param_f", "file", "param_d", "system", "param_t", "processes")
		if a.status == http.StatusOK || strings.Contains(a.body, "s3cr3t") {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
		if _, err := os.Stat(target); err == nil {
			t.Fatalf("%s: wrote a file", sql)
		}
	}
	if after := shared.must(t, "SELECT count() FROM system.tables WHERE database = 'bitacora'"); after != before {
		t.Errorf("%s tables, had %s", after, before)
	}
	if got := shared.must(t, "SELECT count() FROM guarded"); got != "1" {
		t.Errorf("%s rows", got)
	}
}

func TestAnalystSettings(t *testing.T) {
	secret := secretFile(t)
	refused := [][2]string{
		{"readonly", "0"}, {"max_execution_time", "x"}, {"allow_introspection_functions", "1"}, {"result_overflow_mode", "break"},
		{"additional_result_filter", "file('" + secret + "') = ''"}, {"additional_table_filters", "{'system.one': 'file(dummy)'}"},
		{"format_schema", secret + ":x"}, {"format_template_row", secret}, {"output_format_schema", "/tmp/x"},
		{"max_server_memory_usage", "0"}, {"allow_ddl", "1"}, {"implicit_select", "1"}, {"path", "/"}, {"session_id", "x"},
	}
	for _, s := range refused {
		if a := shared.post(t, userAnalyst, "SELECT 1", s[0], s[1]); a.status == http.StatusOK {
			t.Errorf("%s=%s was accepted", s[0], s[1])
		}
	}
	accepted := []string{
		"readonly", "1", "max_execution_time", "30", "max_result_rows", "1000", "max_threads", "1", "join_use_nulls", "1",
		"output_format_json_quote_64bit_integers", "0", "date_time_output_format", "iso", "session_timezone", "America/Panama",
		"enable_http_compression", "1", "wait_end_of_query", "1", "log_comment", "x", "extremes", "0", "max_block_size", "1000",
		"database", "bitacora", "default_format", "JSONCompact", "quota_key", "x", "client_protocol_version", "54460",
	}
	a := shared.post(t, userAnalyst, "SELECT toUInt64(1) AS n, toDateTime('2026-01-01 05:00:00', 'UTC')::DateTime AS t", accepted...)
	if a.status != http.StatusOK || !strings.Contains(a.body, `[1, "2026-01-01T`) {
		t.Errorf("harmless settings: %d %s", a.status, a.body)
	}
	// Limits can be lowered but not raised.
	for name, test := range map[string]struct{ sql, name, value, code string }{
		"rows, lowered":  {"SELECT * FROM numbers(100)", "max_result_rows", "10", "396"},
		"rows, raised":   {"SELECT * FROM numbers(6000000)", "max_result_rows", "0", "396"},
		"memory, raised": {"SELECT length(range(100000000 + number)) FROM numbers(1)", "max_memory_usage", "0", "241"},
		"time, lowered":  {"SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))", "max_execution_time", "1", "159"},
	} {
		if a := shared.post(t, userAnalyst, test.sql, test.name, test.value, "max_block_size", "1000"); a.code() != test.code && !strings.Contains(a.body, "Code: "+test.code) {
			t.Errorf("%s: %d %.200s", name, a.status, a.body)
		}
	}
	if a := shared.post(t, userAnalyst, "SELECT name, value FROM system.settings WHERE name IN ('readonly', 'max_execution_time', 'allow_introspection_functions') ORDER BY name", "max_execution_time", "0"); a.body != "allow_introspection_functions\t0\nmax_execution_time\t60\nreadonly\t1\n" {
		t.Errorf("forced settings: %s", a.body)
	}
	if a := shared.post(t, userAnalyst, "SELECT * FROM processes", "database", "system"); a.status == http.StatusOK {
		t.Error("the database system can be the current one")
	}
}

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
		"SELECT currentDatabase(), version()":                                                                       "bitacora\t" + shared.version + "\n",
	}
	for sql, want := range questions {
		a := shared.post(t, userAnalyst, sql, "param_from", "2026-01-01")
		if a.status != http.StatusOK || want != "" && a.body != want {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
	if a := shared.request(t, http.MethodGet, userAnalyst, nil, nil, "query", "SELECT sum(n) FROM asked FORMAT JSON"); a.status != 200 || !strings.Contains(a.body, `"rows": 1`) {
		t.Errorf("GET: %d %s", a.status, a.body)
	}
	if a := shared.post(t, userAnalyst, "SELECT * FROM asked FORMAT Parquet"); a.status != 200 || !strings.HasPrefix(a.body, "PAR1") {
		t.Errorf("Parquet: %d", a.status)
	}
	if a := shared.post(t, userAnalyst, "SELEC 1"); a.code() != "62" || !strings.Contains(a.body, "Syntax error: failed at position 1") {
		t.Errorf("a mistake is not explained: %s", a.body)
	}
	c := dial(t, shared, userAnalyst, compressions["lz4"])
	var sum uint64
	if err := c.QueryRow(t.Context(), "SELECT sum(n) FROM asked WHERE n > ?", 5).Scan(&sum); err != nil || sum != 30 {
		t.Errorf("clickhouse-go: %d, %v", sum, err)
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("analyst:"+analystPassword))
	if a := shared.request(t, http.MethodGet, userAnalyst, nil, http.Header{"Authorization": {basic}}, "query", "SELECT 1"); a.status != 200 {
		t.Errorf("basic authentication: %d", a.status)
	}
}
