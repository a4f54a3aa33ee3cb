package chserver

import (
	"bitacora/adapters/clickhouse/access"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestOthersStayHidden(t *testing.T) {
	requireLandlock(t)
	g := newTarget(t)
	ctx, done := context.WithCancel(t.Context())
	defer done()
	go func() {
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+g.address+"/?query_id=of-app", strings.NewReader("SELECT sleepEachRow(1), '"+marker+"' FROM numbers(600) FORMAT Null SETTINGS function_sleep_max_microseconds_per_block = 0, log_comment = '"+marker+"'"))
		r.SetBasicAuth(access.App, appPassword)
		if response, err := http.DefaultClient.Do(r); err == nil {
			response.Body.Close()
		}
	}()
	const running = "SELECT count() FROM system.processes WHERE query_id = 'of-app'"
	for deadline := time.Now().Add(time.Minute); g.must(t, running) != "1"; {
		if time.Now().After(deadline) {
			t.Fatal("the app's query does not run")
		}
	}
	before := g.files(t)
	for _, table := range g.lines(t, "SELECT name FROM system.tables WHERE database = 'system' AND name NOT IN ('licenses', 'numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'primes', 'fuzz_query')") {
		g.attack(t, "SELECT * FROM system.`"+table+"` LIMIT 10000")
	}
	const leak = "toUInt8(if(user = 'app', query, '1')) = 1"
	for _, sql := range []string{
		"SELECT count() = 1 FROM system.processes", "SELECT count() = 1 FROM merge('system', 'processes')",
		"SELECT count() = 1 FROM system.processes SETTINGS show_processlist_include_internal = 1",
	} {
		if a := g.attack(t, sql); a.body != "1\n" {
			t.Errorf("%s: %s", sql, a.body)
		}
	}
	for _, sql := range []string{
		"SHOW PROCESSLIST",
		"SELECT * FROM system.processes WHERE " + leak,
		"SELECT * FROM system.processes WHERE " + leak + " SETTINGS short_circuit_function_evaluation = 'disable'",
		"SELECT * FROM (SELECT * FROM system.processes WHERE " + leak + " SETTINGS short_circuit_function_evaluation = 'disable', query_plan_enable_optimizations = 0)",
		"SELECT * FROM system.processes WHERE " + leak + " SETTINGS enable_analyzer = 0",
		"SELECT * FROM (SELECT * FROM system.processes SETTINGS additional_table_filters = {'system.processes': 'toUInt8(if(user = \\'app\\', query, \\'1\\'))'})",
		"KILL QUERY WHERE query_id = 'of-app'", "KILL QUERY WHERE user = 'app' SYNC", "KILL QUERY WHERE 1 TEST", "KILL QUERY WHERE " + leak + " TEST",
		"SELECT * FROM broken", "SELECT * FROM shown WHERE throwIf(n = 3)", "SELECT * FROM shown WHERE toUInt8(toString(n) || 'x') = 1", "SHOW CREATE VIEW shown",
		"SELECT create_table_query, as_select FROM system.tables", "EXPLAIN SELECT * FROM shown", "EXPLAIN actions = 1, indexes = 1 SELECT * FROM distinct",
		"EXPLAIN QUERY TREE SELECT (SELECT s FROM build.hidden)", "EXPLAIN SYNTAX run_query_tree_passes = 1 SELECT (SELECT s FROM build.hidden)",
		"EXPLAIN ESTIMATE SELECT * FROM shown", "SELECT * FROM system.columns", "SELECT getServerSetting('path'), getMacro('x')",
	} {
		g.attack(t, sql)
	}
	g.attack(t, "SELECT 1", "query_id", "of-app", "replace_running_query", "1", "replace_running_query_max_wait_ms", "0")
	for _, sql := range []string{
		"SELECT * FROM build.hidden", "SELECT * FROM build.shown", "SELECT count() FROM build.hidden", "SHOW CREATE TABLE build.hidden", "DESCRIBE build.hidden", "EXISTS build.hidden",
		"EXPLAIN SELECT * FROM build.hidden", "EXPLAIN PIPELINE SELECT * FROM build.hidden", "EXPLAIN ESTIMATE SELECT * FROM build.hidden", "CHECK TABLE build.hidden",
		"DESCRIBE (SELECT * FROM build.hidden)", "SELECT * FROM (SELECT * FROM build.hidden SETTINGS readonly = 0)", "WITH c AS (SELECT s FROM build.hidden) SELECT * FROM c",
		"SELECT 1 IN (SELECT n FROM build.hidden)", "SELECT * FROM asked(low = (SELECT n FROM build.hidden))", "SELECT quantile((SELECT n FROM build.hidden))(1)",
		"SELECT * FROM {d:Identifier}.{t:Identifier}", "SELECT joinGet('build.hidden', 's', 1)", "SELECT dictGet('build.hidden', 's', 1)",
		"SHOW USERS", "SHOW CREATE USER app", "SHOW GRANTS FOR app", "SHOW ACCESS", "SHOW CREATE PROFILE app", "SHOW CREATE QUOTA",
		"CREATE TEMPORARY TABLE x (a Int8)", "CREATE TEMPORARY VIEW x AS SELECT 1", "CREATE TABLE x (a Int8) ENGINE = Memory", "CREATE VIEW x AS SELECT 1", "CREATE DATABASE x",
		"CREATE FUNCTION x AS a -> a", "CREATE OR REPLACE FUNCTION file AS a -> a", "DROP FUNCTION file", "DROP FUNCTION IF EXISTS formatRow", "CREATE USER x", "CREATE NAMED COLLECTION x AS a = 1",
		"EXECUTE AS app SELECT 1", "SET ROLE app", "SET DEFAULT ROLE ALL TO analyst", "GRANT ALL ON *.* TO analyst", "ALTER USER analyst SETTINGS readonly = 0", "USE build",
		"SELECT 1 PARALLEL WITH SELECT 2", "SELECT 1; SELECT 2", "BACKUP TABLE bitacora.shown TO File('INSIDE')", "RESTORE TABLE bitacora.shown FROM File('INSIDE')",
		"INSERT INTO shown VALUES (1)", "INSERT INTO build.hidden VALUES (2, '')", "ALTER TABLE build.hidden DELETE WHERE 1", "DROP TABLE build.hidden", "TRUNCATE TABLE build.hidden",
		"DROP VIEW shown", "RENAME TABLE shown TO x", "OPTIMIZE TABLE build.hidden", "SYSTEM SHUTDOWN", "SYSTEM STOP MERGES build.hidden", "SYSTEM RELOAD CONFIG", "SYSTEM START LISTEN TCP",
		"SYSTEM DROP QUERY CACHE", "SYSTEM FLUSH LOGS", "SELECT 1 INTO OUTFILE 'INSIDE'", "SELECT 1 INTO OUTFILE 'INSIDE' TRUNCATE", "INSERT INTO shown FROM INFILE 'INSIDE' FORMAT CSV",
		"SELECT * FROM 'INSIDE'", "SELECT * FROM `INSIDE`", "SELECT * FROM default.`INSIDE`", "ATTACH TABLE x", "DETACH TABLE shown", "BEGIN TRANSACTION", "WATCH build.hidden",
	} {
		if a := g.attack(t, sql, "param_d", "build", "param_t", "hidden"); a.status == http.StatusOK {
			t.Errorf("%s: %d %.200s", sql, a.status, a.body)
		}
	}
	if g.must(t, running) != "1" {
		t.Error("the app's query was ended")
	}
	g.unharmed(t, before)
}

// TestOwnQueryCanBeEnded: what hides the others' queries leaves one's own.
func TestOwnQueryCanBeEnded(t *testing.T) {
	g := newTarget(t)
	ended := make(chan answer)
	go func() {
		ended <- g.ask(t, access.Analyst, "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))", "query_id", "mine")
	}()
	for g.must(t, "SELECT count() FROM system.processes WHERE query_id = 'mine'") != "1" {
		time.Sleep(10 * time.Millisecond)
	}
	if a := g.ask(t, access.Analyst, "KILL QUERY WHERE query_id = 'mine' SYNC"); a.status != http.StatusOK || !strings.Contains(a.body, "mine") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := <-ended; a.code() != "394" {
		t.Errorf("%d %s", a.status, a.body)
	}
}
