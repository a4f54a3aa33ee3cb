package main

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

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
		"SELECT currentDatabase(), currentUser()":                                                                   "bitacora\tanalyst\n",
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
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("analyst:"+analystPassword))
	if a := shared.request(t, http.MethodGet, access.Analyst, nil, http.Header{"Authorization": {basic}}, "query", "SELECT 1"); a.status != 200 {
		t.Errorf("basic authentication: %d", a.status)
	}
}
