package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/confine"
)

// marker is in everything that an analyst may not read, and in no question of one.
const marker = "s3cr3t"

// target is a server with something to keep from its analyst.
type target struct {
	*process
	client *http.Client
	words  *strings.Replacer // what the words of an attack stand for
	calls  atomic.Int64      // connections to HOST

	inside, part, outside string
}

// newTarget keeps a secret beside the data, in the data, in tables that no view shows, in the
// environment of another process, and listens for who calls.
func newTarget(t *testing.T) *target {
	t.Helper()
	data := dataDirectory(t)
	g := &target{process: serveData(t, data)}
	g.client = &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		Timeout:   2 * time.Minute,
	}
	t.Cleanup(g.client.CloseIdleConnections)
	g.must(t,
		"CREATE DATABASE build",
		"CREATE TABLE build.hidden (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"INSERT INTO build.hidden VALUES (1, '"+marker+" of the hidden table')",
		"CREATE TABLE build.shown (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"INSERT INTO build.shown VALUES (1, '"+marker+" of the hidden column'), (2, 'x'), (3, '"+marker+" of the hidden row')",
		"CREATE VIEW bitacora.shown DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown WHERE n < 3",
		"CREATE VIEW bitacora.distinct DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT toString(count(DISTINCT s)) AS s FROM build.shown",
		"CREATE VIEW bitacora.asked DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown WHERE n >= {low:UInt64} AND n < 3",
		"CREATE TABLE build.broken (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"CREATE VIEW bitacora.broken DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.broken",
		"DROP TABLE build.broken",
	)
	g.part = g.must(t, "SELECT path FROM system.parts WHERE table = 'hidden' AND active") + "data.bin"
	g.inside, g.outside = filepath.Join(data, "inside.txt"), filepath.Join(filepath.Dir(data), "outside.txt")
	for _, path := range []string{g.inside, g.outside} {
		if err := os.WriteFile(path, []byte(marker+" of a file\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			g.calls.Add(1)
			_ = connection.Close()
		}
	}()
	g.words = strings.NewReplacer("FRESH", filepath.Join(data, "fresh"), "INSIDE", g.inside, "OUTSIDE", g.outside, "PART", g.part, "HOST", listener.Addr().String(),
		"NEIGHBOUR", fmt.Sprintf("/proc/%d/environ", otherProcess(t)))
	// What is looked for can be found: its owner reads it.
	for sql, want := range map[string]string{
		"SELECT s FROM build.hidden": marker, "SELECT * FROM file('" + g.inside + "', RawBLOB, 's String')": marker,
		"SELECT * FROM file('" + g.part + "', RawBLOB, 's String')": marker,
	} {
		if got := g.must(t, sql); !strings.Contains(got, want) {
			t.Fatalf("%s: %q", sql, got)
		}
	}
	return g
}

// otherProcess is one of the server's user with the secret in its environment.
func otherProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command("sleep", "600")
	c.Env = []string{"SECRET=" + marker}
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c.Process.Pid
}

var passwords = map[string]string{access.App: appPassword, access.Analyst: analystPassword}

// ask sends a statement over a connection that is kept. Options are pairs of query parameters.
func (g *target) ask(t *testing.T, user, sql string, options ...string) answer {
	query := url.Values{}
	for i := 0; i < len(options); i += 2 {
		query.Set(options[i], options[i+1])
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+g.address+"/?"+query.Encode(), strings.NewReader(g.words.Replace(sql)))
	if err != nil {
		t.Error(err)
		return answer{}
	}
	r.SetBasicAuth(user, passwords[user])
	response, err := g.client.Do(r)
	if err != nil {
		t.Errorf("%.200s: %v", sql, err)
		return answer{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body), err}
}

// found is what of the secrets is in an answer.
var found = regexp.MustCompile(strings.Join([]string{
	marker, "root:x:", hash(appPassword), hash(analystPassword), appPassword, analystPassword,
	`\b[A-Z2-7]{26}\b`, // what the front shows the engine
}, "|"))

func hash(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}

// attack asks as the analyst and looks for secrets in all that comes back.
func (g *target) attack(t *testing.T, sql string, options ...string) answer {
	a := g.ask(t, access.Analyst, sql, options...)
	if secret := found.FindString(fmt.Sprint(a.header) + a.body); secret != "" {
		t.Errorf("%s %q showed %s: %.300q", g.words.Replace(sql), options, secret, a.body)
	}
	return a
}

// attacks asks many questions at once.
func (g *target) attacks(t *testing.T, questions []string) {
	t.Helper()
	next := make(chan string)
	var work sync.WaitGroup
	// As many as one analyst may ask at once, less one that is just ending.
	for range min(8, 2*runtime.NumCPU()) {
		work.Go(func() {
			for sql := range next {
				g.attack(t, sql)
			}
		})
	}
	for _, sql := range questions {
		next <- sql
	}
	close(next)
	work.Wait()
}

// holds says that nothing came of the attacks: no call, no file, no other process.
func (g *target) holds(t *testing.T, before map[string]string) {
	t.Helper()
	if calls := g.calls.Load(); calls > 0 {
		t.Errorf("%d connections went out", calls)
	}
	now := g.files(t)
	for path, content := range now {
		if was, there := before[path]; !there || was != content {
			t.Errorf("written: %s", path)
		}
	}
	for path := range before {
		if _, there := now[path]; !there {
			t.Errorf("removed: %s", path)
		}
	}
	g.answersPromptly(t)
}

func (g *target) answersPromptly(t *testing.T) {
	t.Helper()
	select {
	case <-g.ended:
		t.Fatalf("the server ended: %v: %s", g.err, g.log)
	default:
	}
	began := time.Now()
	if got := g.must(t, "SELECT count() FROM build.hidden"); got != "1" {
		t.Errorf("the hidden table has %s rows", got)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the app waited %s", took)
	}
}

// files are those of the data directory and around it, with a sum of what is in them.
func (g *target) files(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(g.data), func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		content, _ := os.ReadFile(path)
		sums[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func (g *target) lines(t *testing.T, sql string) []string {
	t.Helper()
	return strings.Split(g.must(t, sql), "\n")
}

func requireWalls(t *testing.T) {
	t.Helper()
	if !confine.Possible() {
		t.Skip("this kernel has no Landlock")
	}
}

func TestNoFunctionEscapes(t *testing.T) {
	requireWalls(t)
	g := newTarget(t)
	before := g.files(t)
	functions := g.lines(t, "SELECT name FROM system.functions WHERE origin = 'System' AND name NOT LIKE 'sleep%' ORDER BY name")
	tables := g.lines(t, "SELECT name FROM system.table_functions ORDER BY name")
	if len(functions) < 1500 || len(tables) < 80 {
		t.Fatalf("%d functions and %d table functions", len(functions), len(tables))
	}
	var questions []string
	ask := func(names []string, forms ...string) {
		for _, name := range names {
			for _, form := range forms {
				questions = append(questions, strings.ReplaceAll(form, "FUNC", "`"+name+"`"))
			}
		}
	}
	ask(functions,
		"SELECT FUNC('PART'), FUNC('PART', 'PART')",
		"SELECT FUNC('OUTSIDE', 'OUTSIDE')",
		"SELECT FUNC('build.hidden', 's', toUInt64(1))",
		"SELECT FUNC('build', 'hidden', 's')",
		"SELECT FUNC('http://HOST/', 'HOST')",
		"SELECT FUNC('HOST', 'build', 'hidden', 's', 'x')",
		"SELECT FUNC(map('url', 'http://HOST/', 'credentials', 'x'), 'HOST') SETTINGS allow_experimental_ai_functions = 1",
		"SELECT arrayMap(FUNC, ['INSIDE'])",
		"SELECT * APPLY FUNC FROM (SELECT 'NEIGHBOUR')",
		"WITH c AS (SELECT 'INSIDE' AS p) SELECT arrayFold((a, x) -> toString(FUNC(x)), [p], ''), FUNC(p) FROM c",
		"SELECT * FROM (SELECT n FROM shown SETTINGS additional_table_filters = {'build.shown': 'throwIf(1, toString(FUNC(\\'PART\\')))', 'bitacora.shown': 'toUInt8(FUNC(\\'PART\\'))'})",
		"SELECT * FROM asked(low = toUInt64(toString(FUNC('PART'))))",
		// Every file that a setting names, in a place where no constraint is held to.
		"SELECT * FROM (SELECT FUNC('Protobuf', n) FROM shown SETTINGS format_protobuf_use_autogenerated_schema = 1, output_format_schema = 'FRESH')",
		"SELECT * FROM (SELECT FUNC('Protobuf', n), FUNC('Template', n) FROM shown SETTINGS format_schema = 'INSIDE:x', format_template_row = 'INSIDE')",
		"SELECT * FROM (SELECT FUNC('AvroConfluent', n) FROM shown SETTINGS format_avro_schema_registry_url = 'http://HOST/', output_format_avro_confluent_subject = 'x')",
		"SELECT * FROM (SELECT FUNC('"+gateHeader+"'), FUNC('"+strings.ToLower(gateHeader)+"'), FUNC('X-Gate') SETTINGS allow_get_client_http_header = 1, allow_introspection_functions = 1)",
	)
	ask(tables,
		"SELECT * FROM FUNC('PART')",
		"SELECT * FROM FUNC('PART', 'RawBLOB', 's String')",
		"SELECT * FROM FUNC('default', 'PART', 'RawBLOB', 's String')",
		"SELECT * FROM FUNC(build, hidden)",
		"SELECT * FROM FUNC('build', 'hidden', 's')",
		"SELECT * FROM FUNC('build.hidden') LIMIT 1",
		"SELECT * FROM FUNC(build.hidden) LIMIT 1",
		"SELECT * FROM FUNC(SELECT * FROM build.hidden)",
		"SELECT * FROM FUNC('SELECT * FROM build.hidden') SETTINGS allow_experimental_eval_table_function = 1",
		"SELECT * FROM FUNC('EXPLAIN', '', (SELECT * FROM build.hidden))",
		"SELECT * FROM FUNC('.*', '.*')",
		"SELECT * FROM FUNC('http://HOST/', 'RawBLOB', 's String')",
		"SELECT * FROM FUNC('HOST', 'build', 'hidden')",
		"SELECT * FROM FUNC('HOST', 'build', 'hidden', 'user', 'password')",
		"DESCRIBE TABLE FUNC('PART')",
		"DESCRIBE TABLE FUNC('http://HOST/')",
		"INSERT INTO FUNCTION FUNC('INSIDE', 'CSV', 'a Int8') VALUES (1)",
	)
	for _, n := range g.lines(t, "SELECT name FROM system.formats") {
		questions = append(questions,
			"SELECT * FROM shown FORMAT "+n+" SETTINGS format_schema = 'INSIDE:x', output_format_schema = 'FRESH'",
			"SELECT * FROM (SELECT * FROM shown SETTINGS format_schema = 'INSIDE:x', output_format_schema = 'FRESH', format_template_row = 'INSIDE') FORMAT "+n,
			"SELECT * FROM shown FORMAT "+n+" SETTINGS format_avro_schema_registry_url = 'http://HOST/', output_format_avro_confluent_subject = 'x'")
	}
	began := time.Now()
	g.attacks(t, questions)
	t.Logf("%d questions in %s", len(questions), time.Since(began))
	g.holds(t, before)
}

// reviewed are the settings that take any text, and why an analyst may send them. One that a
// new version of the engine brings is to be looked at first.
var reviewed = map[string]string{
	"ai_function_embedding_default_credentials":          "names a collection, of which there is none and which needs a grant",
	"ai_function_text_default_credentials":               "the same",
	"bool_false_representation":                          "a word of the answer",
	"bool_true_representation":                           "a word of the answer",
	"chdb_client_name":                                   "is told to other servers, which are out of reach",
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
	"network_compression_method":                         "is told to other servers, which are out of reach",
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
	"workload":                                           "there is none to choose",
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

// held are limits and their values, as an analyst's session shows them.
const held = "SELECT getSetting('readonly') >= 1, getSetting('max_execution_time') BETWEEN 1 AND 60, getSetting('max_memory_usage') BETWEEN 1 AND 500000000," +
	" getSetting('max_memory_usage_for_user') = 750000000, getSetting('max_result_rows') BETWEEN 1 AND 5000000, getSetting('max_result_bytes') BETWEEN 1 AND 1073741824," +
	" getSetting('max_concurrent_queries_for_user') = 10, getSetting('max_sessions_for_user') = 20, getSetting('max_threads') BETWEEN 1 AND 16," +
	" getSetting('max_temporary_data_on_disk_size_for_query') BETWEEN 1 AND 2147483648, getSetting('max_temporary_data_on_disk_size_for_user') = 4294967296," +
	" getSetting('ast_fuzzer_runs') = 0, getSetting('max_untracked_memory') = 4194304 FORMAT JSONCompactEachRow"

func TestNoSettingLifts(t *testing.T) {
	requireWalls(t)
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
				attempt{held, name, value},
				attempt{"SELECT * FROM shown, distinct", name, value},
				attempt{"SELECT * FROM (SELECT * FROM shown, distinct SETTINGS " + name + " = " + quoted + ")", "", ""},
				attempt{"WITH c AS (SELECT s FROM distinct WHERE (SELECT max(n) FROM shown) < 3 SETTINGS " + name + " = " + quoted + ") SELECT toUInt64(s) FROM c", "", ""})
		}
	}
	next := make(chan attempt)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for try := range next {
				var options []string
				if try.name != "" {
					options = []string{try.name, try.value}
				}
				a := g.attack(t, try.sql, options...)
				if try.sql == held && a.status == http.StatusOK && strings.Contains(a.body, "false") {
					t.Errorf("%s = %s: %s", try.name, try.value, a.body)
				}
			}
		})
	}
	for _, try := range attempts {
		next <- try
	}
	close(next)
	work.Wait()
	t.Logf("%d attempts", len(attempts))
	for _, options := range [][]string{
		{"profile", "app"}, {"profile", "default"}, {"compatibility", "19.1"}, {"compatibility", "22.3"}, {"session_id", "s"}, {"role", "app"}, {"database", "build"},
	} {
		a := g.attack(t, held, options...)
		if a.status == http.StatusOK && strings.Contains(a.body, "false") {
			t.Errorf("%q: %s", options, a.body)
		}
	}
	// In a session, a setting outlives its question.
	for _, set := range []string{"SET max_execution_time = 0", "SET profile = 'app'", "SET readonly = 0", "SET additional_table_filters = {'build.shown': '1'}", "SET max_memory_usage = 0"} {
		if a := g.attack(t, set, "session_id", "kept"); a.status == http.StatusOK {
			t.Errorf("%s is taken", set)
		}
	}
	g.holds(t, before)
}

// What holds a question to its limits is the outermost one's, whatever a subquery says.
func TestLimitsHold(t *testing.T) {
	g := newTarget(t)
	const endless = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))"
	for name, test := range map[string]struct{ sql, code string }{
		"time":            {endless + " SETTINGS max_execution_time = 1", "159"},
		"time, below":     {"SELECT * FROM (" + endless + " SETTINGS max_execution_time = 0) SETTINGS max_execution_time = 1", "159"},
		"time, asleep":    {"SELECT * FROM (SELECT sleep(20) SETTINGS function_sleep_max_microseconds_per_block = 0, max_execution_time = 0) SETTINGS max_execution_time = 1", "159"},
		"memory":          {"SELECT length(range(100000000 + number)) FROM numbers(1)", "241"},
		"memory, below":   {"SELECT * FROM (SELECT length(range(100000000 + number)) FROM numbers(1) SETTINGS max_memory_usage = 0, max_untracked_memory = 100000000000, max_memory_usage_for_user = 0)", "241"},
		"rows":            {"SELECT * FROM numbers(6000000) FORMAT Null", "396"},
		"rows, below":     {"SELECT * FROM (SELECT * FROM numbers(6000000) SETTINGS max_result_rows = 0) FORMAT Null", "396"},
		"bytes":           {"SELECT repeat('x', 1000000) FROM numbers(1200) SETTINGS max_block_size = 10, max_result_bytes = 2000000", "396"},
		"disk, below":     {"SELECT count() FROM (SELECT number FROM numbers(3000000) GROUP BY number SETTINGS max_bytes_before_external_group_by = 1000000, max_bytes_ratio_before_external_group_by = 0, max_temporary_data_on_disk_size_for_query = 0) SETTINGS max_temporary_data_on_disk_size_for_query = 1000000", "396"},
		"rows, of a user": {"SELECT * FROM numbers(100) SETTINGS max_result_rows = 10", "396"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.attack(t, test.sql)
			if a.code() != test.code && !strings.Contains(a.body, "Code: "+test.code) {
				t.Errorf("%d %.300s", a.status, a.body)
			}
		})
	}
	t.Run("a slow disk", func(t *testing.T) {
		for _, sql := range []string{"SELECT * FROM shown", "SELECT * FROM (SELECT * FROM shown SETTINGS max_local_read_bandwidth = 1)"} {
			began := time.Now()
			g.attack(t, sql, "max_execution_time", "1")
			g.attack(t, "SELECT * FROM shown", "max_execution_time", "1", "max_local_read_bandwidth", "1")
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%s took %s", sql, took)
			}
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		g := newTarget(t)
		var refused atomic.Int64
		var work sync.WaitGroup
		for range 14 {
			work.Go(func() {
				if g.attack(t, "SELECT sleep(3)", "max_concurrent_queries_for_user", "10").code() == "202" {
					refused.Add(1)
				}
			})
		}
		time.Sleep(500 * time.Millisecond)
		g.answersPromptly(t)
		work.Wait()
		if refused.Load() < 3 {
			t.Errorf("%d of 14 questions at once were refused", refused.Load())
		}
	})
}

// What could crash, choke or keep the server is refused or ends, and the app goes on.
func TestServerSurvives(t *testing.T) {
	g := newTarget(t)
	deep := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	free := []string{"max_parser_depth", "0", "max_query_size", "10000000", "max_ast_depth", "0", "max_ast_elements", "0", "max_analyze_depth", "0", "max_subquery_depth", "0", "max_execution_time", "2"}
	type question struct {
		sql     string
		options []string
	}
	questions := []question{
		{"SELECT " + deep("(", "1", ")", 100_000), free},
		{"SELECT " + deep("-(", "1", ")", 20_000), free},
		{"SELECT " + deep("[", "1", "]", 100_000), free},
		{"SELECT " + deep("toString(", "1", ")", 20_000), free},
		{"SELECT * FROM " + deep("(SELECT * FROM ", "numbers(1)", ")", 3_000), free},
		{"SELECT " + strings.Repeat("1+", 50_000) + "1", free},
		{"SELECT CAST('x', '" + deep("Array(", "Int8", ")", 30_000) + "')", free},
		{"SELECT '" + deep("[", "1", "]", 100_000) + "'::JSON SETTINGS input_format_json_max_depth = 0", free},
		{"SELECT match(repeat('a', 100000), '" + deep("(", "a*", ")", 5_000) + "')", free},
		{"SELECT match(repeat('a', 1000), '" + strings.Repeat("(a|aa){1,100}", 100) + "')", free},
		{"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count() FROM r SETTINGS max_recursive_cte_evaluation_depth = 1000000000", free},
		{"SELECT length(arrayMap(x -> sipHash64(x, x), range(30000000)))", free},
		{"SELECT groupArray(repeat('x', 1000000)) FROM numbers(100000) FORMAT Null", free},
		{"SELECT count() FROM numbers(100000000) a, numbers(100000000) b", free},
		{"SELECT number, count() FROM numbers(100000000) GROUP BY number FORMAT Null", free},
	}
	for _, setting := range [][2]string{
		{"query_profiler_cpu_time_period_ns", "1000"}, {"query_profiler_real_time_period_ns", "1000"}, {"memory_profiler_step", "1"},
		{"memory_profiler_sample_probability", "1"}, {"metrics_perf_events_enabled", "1"}, {"jemalloc_enable_profiler", "1"},
		{"max_block_size", "18446744073709551615"}, {"max_streams_to_max_threads_ratio", "100000"}, {"max_threads_for_indexes", "100000"},
		{"max_final_threads", "100000"}, {"max_parsing_threads", "100000"}, {"max_insert_threads", "100000"}, {"page_cache_inject_eviction", "1"},
		{"local_filesystem_read_method", "mmap"}, {"local_filesystem_read_method", "io_uring"}, {"use_query_cache", "1"}, {"min_count_to_compile_expression", "0"},
		{"make_distributed_plan", "1"}, {"serialize_query_plan", "1"}, {"os_thread_priority", "-20"}, {"ast_fuzzer_runs", "1000000000"}, {"use_uncompressed_cache", "1"},
	} {
		questions = append(questions, question{"SELECT sum(n), uniq(n) FROM shown, numbers(100000)", setting[:]},
			question{"SELECT * FROM (SELECT sum(n), uniq(n) FROM shown, numbers(100000) SETTINGS " + setting[0] + " = " + setting[1] + ")", nil})
	}
	next := make(chan question)
	var work sync.WaitGroup
	for range 6 {
		work.Go(func() {
			for q := range next {
				g.attack(t, q.sql, q.options...)
			}
		})
	}
	for i, q := range questions {
		next <- q
		if i%10 == 0 {
			g.answersPromptly(t)
		}
	}
	close(next)
	work.Wait()
	for i := range 60 {
		g.attack(t, "SELECT 1", "session_id", fmt.Sprint(i), "session_timeout", "3600")
	}
	g.answersPromptly(t)
}

func TestOthersStayHidden(t *testing.T) {
	requireWalls(t)
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
	g.holds(t, before)
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

// What the tools send of themselves is taken.
func TestToolsAreServed(t *testing.T) {
	g := newTarget(t)
	for tool, options := range map[string][]string{
		"clickhouse-connect, Superset": {"session_id", "s", "session_timeout", "60", "wait_end_of_query", "1", "send_progress_in_http_headers", "1", "http_headers_progress_interval_ms", "120000",
			"enable_http_compression", "1", "client_protocol_version", "54405", "cancel_http_readonly_queries_on_client_close", "1", "buffer_size", "10485760", "date_time_input_format", "best_effort",
			"query_id", "q1", "database", "bitacora", "max_result_rows", "1000", "result_overflow_mode", "throw"},
		"Grafana, clickhouse-go": {"default_format", "Native", "database", "bitacora", "max_execution_time", "60", "compress", "0", "query_id", "q2"},
		"Metabase, DBeaver":      {"compress", "0", "result_overflow_mode", "break", "max_result_rows", "2000", "extremes", "0", "session_timezone", "America/Panama", "log_queries", "1"},
		"Tableau":                {"session_id", "t", "join_use_nulls", "1", "join_algorithm", "auto", "output_format_json_quote_64bit_integers", "0"},
		"@clickhouse/client":     {"enable_http_compression", "1", "send_progress_in_http_headers", "1", "http_headers_progress_interval_ms", "110000", "output_format_json_quote_64bit_integers", "0", "log_comment", "x"},
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
		"SELECT currentUser(), currentDatabase(), timezone()":                                    "analyst\tbitacora\tUTC\n",
		"SELECT value FROM system.settings WHERE name = 'max_execution_time'":                    "60\n",
	} {
		if a := g.ask(t, access.Analyst, sql); a.body != want {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
}

// raw sends bytes and gives what comes back for the first request of them.
func (g *target) raw(t *testing.T, text string) answer {
	t.Helper()
	connection, err := net.Dial("tcp", g.address)
	if err != nil {
		return answer{err: err}
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.WriteString(connection, text); err != nil {
		return answer{err: err}
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body), err}
}

// Nobody gets a query through to the engine but as a user with a password.
func TestFrontNeedsUser(t *testing.T) {
	g := newTarget(t)
	const query = "query=SELECT+concat('as:',currentUser())"
	basic := func(text string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(text)) + "\r\n"
	}
	analyst := basic(access.Analyst + ":" + analystPassword)
	const form = "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\ndefault\r\n--b\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\nSELECT concat('as:',currentUser())\r\n--b--\r\n"
	var requests []string
	for _, path := range []string{
		"/?", "//?", "/ping?", "/play?", "/js/uplot.js?", "/%70ing?", "/%70lay?", "/pin%67?", "/js%2fuplot.js?", "/js/%75plot.js?", "/js/../?", "/js/uplot.js/../../?", "/ping/?", "/ping/../?",
		"/ping%2f..?", "/./?", "/ping;x?", "/ping%00?", "/ping%3f?", "/PING?", "/dashboard?", "/replicas_status?", "/metrics?", "/?user=default&", "/?user=&", "/?user=analyst&user=default&",
		"/?user=default&user=analyst&", "/?USER=default&user=analyst&", "/?%75ser=default&", "/?user=default%20&", "/?user=default%00&", "/?user=%20default&", "/?user=analyst;user=default&",
		"/?user=analyst&", "/?user=default&password=&", "http://default@x/?", "http://x/ping?", "http://x/%70ing?", "http://default:@x/%70ing?",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "PUT"} {
			requests = append(requests, method+" "+path+query+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
		}
		requests = append(requests,
			"POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 34\r\n\r\nSELECT concat('as:',currentUser())",
			"POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "+fmt.Sprint(len(form))+"\r\n\r\n"+form)
	}
	for _, headers := range []string{
		"X-ClickHouse-User: default\r\n", "X-ClickHouse-User:default\r\nX-ClickHouse-User: analyst\r\n", "X-ClickHouse-User: analyst\r\nX-ClickHouse-User: default\r\n",
		"x-clickhouse-user: default\r\nX-ClickHouse-Key: \r\n", basic("default:"), "Authorization: basic ZGVmYXVsdDo=\r\n", "Authorization: Basic  ZGVmYXVsdDo=\r\n", "Authorization: Basic ZGVmYXVsdDo\r\n",
		"Authorization: Basic ZGVmYXVsdA==\r\n", basic("default: "), basic(" default:"), basic(":"), "Authorization: Bearer x\r\n", "Authorization: Negotiate x\r\n", "Authorization: Never\r\n",
		"X-ClickHouse-User: app\r\nX-ClickHouse-SSL-Certificate-Auth: on\r\n", "X-ClickHouse-SSL-Certificate-Auth: on\r\n", "X-ClickHouse-JWT-Token: x\r\n", "X-ClickHouse-Quota: x\r\n",
		gateHeader + ": x\r\n", gateHeader + ": x\r\nX-ClickHouse-User: app\r\n", basic("app:"), basic("app:" + analystPassword), "X-ClickHouse-User: app\r\nConnection: X-ClickHouse-User\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 4\r\nX-ClickHouse-User: app\r\n", "X-HTTP-Method-Override: GET\r\n", "X-Original-URL: /?user=default\r\n",
	} {
		for _, path := range []string{"/?", "/?user=x&", "/?user=analyst&", "/%70ing?"} {
			requests = append(requests, "GET "+path+query+" HTTP/1.1\r\nHost: x\r\n"+headers+"\r\n")
		}
	}
	next := make(chan string)
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for request := range next {
				if a := g.raw(t, request); strings.Contains(a.body, "as:default") || strings.Contains(a.body, "as:app") {
					t.Errorf("%q: %d %.300s", request, a.status, a.body)
				}
			}
		})
	}
	for _, request := range requests {
		next <- request
	}
	close(next)
	work.Wait()
	for request, want := range map[string]string{
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + "\r\n":                                                                      "as:analyst\n",
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + basic("default:") + "\r\n":                                                  "as:analyst\n",
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + gateHeader + ": x\r\nConnection: " + gateHeader + "\r\n\r\n":                "as:analyst\n",
		"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n":                                                                                               "Ok.\n",
		"POST / HTTP/1.1\r\nHost: x\r\n" + analyst + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nSELECT 1\r\n0\r\n\r\nGET x": "1\n",
	} {
		if a := g.raw(t, request); a.body != want {
			t.Errorf("%q: %d %s", request, a.status, a.body)
		}
	}
	// What one request leaves unread on a connection to the engine is no part of the next.
	for range 10 {
		for _, text := range []string{"SELECT 1", "not SQL"} {
			rest := text + strings.Repeat(" ", 5000) + "\r\n\r\nGET /?query=SELECT+'smuggled' HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: app\r\n\r\n"
			for _, who := range []string{analyst, basic("nobody:x"), analyst + "Expect: 100-continue\r\n"} {
				g.raw(t, fmt.Sprintf("POST /?max_query_size=10&x=%d HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s", len(who), who, len(rest), rest))
			}
		}
		for _, path := range []string{"/?x=1", "/?query=SELECT+1"} {
			g.raw(t, "POST "+path+" HTTP/1.1\r\nHost: x\r\n"+analyst+"Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
		}
		if got := g.must(t, "SELECT 'own'"); got != "own" {
			t.Fatalf("the app's answer is %q", got)
		}
	}
}
