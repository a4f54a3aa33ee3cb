package chserver

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

// TestLimitsOfToolsAreClamped wherever a tool sends them, and what holds then is an analyst's own limit.
func TestLimitsOfToolsAreClamped(t *testing.T) {
	const (
		manyRows = "SELECT * FROM numbers(6000000) FORMAT Null"
		memory   = "SELECT length(range(100000000 + number)) FROM numbers(1)"
		disk     = "SELECT count() FROM (SELECT number FROM numbers(3000000) GROUP BY number)"
		endless  = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))"
	)
	kept := "SELECT getSetting('"
	for _, test := range []struct {
		name, value string
		sql, answer string // or the code of the refusal
	}{
		{"max_execution_time", "300", kept + "max_execution_time')", "60"},
		{"max_execution_time", "300.5", kept + "max_execution_time')", "60"},
		{"max_execution_time", "0", kept + "max_execution_time')", "60"},
		{"max_execution_time", "7", kept + "max_execution_time')", "7"},
		{"max_execution_time", "0.2", endless, "159"},
		{"max_result_rows", "0", manyRows, "396"},
		{"max_result_rows", "10000000", manyRows, "396"},
		{"max_result_rows", "10", "SELECT * FROM numbers(100) FORMAT Null", "396"},
		{"max_result_bytes", "0", kept + "max_result_bytes')", "1073741824"},
		{"max_memory_usage", "0", memory, "241"},
		{"max_memory_usage", "100000000000", memory, "241"},
		{"max_memory_usage_for_user", "0", kept + "max_memory_usage_for_user')", "750000000"},
		{"max_concurrent_queries_for_user", "1000", kept + "max_concurrent_queries_for_user')", "10"},
		{"max_temporary_data_on_disk_size_for_query", "0", kept + "max_temporary_data_on_disk_size_for_query')", "2147483648"},
		{"readonly", "0", "CREATE TABLE mine (n Int8) ENGINE = Memory", "497"},
		{"readonly", "1", kept + "readonly')", "2"},
		{"readonly", "2", "SELECT 'still'", "still"},
		{"workload", "default", "SELECT 1", "452"},
		{"max_untracked_memory", "1", "SELECT 1", "452"},
	} {
		says := func(how string, a answer) {
			t.Helper()
			if strings.TrimSpace(a.body) != test.answer && a.code() != test.answer && !strings.Contains(a.body, "Code: "+test.answer+".") {
				t.Errorf("%s = %s %s: %d %.300s, want %s", test.name, test.value, how, a.status, a.body, test.answer)
			}
		}
		says("in the address", shared.post(t, access.Analyst, test.sql, test.name, test.value))
		quoted := "'" + test.value + "'"
		if strings.HasPrefix(test.sql, "SELECT") {
			clause := test.sql + " /* SETTINGS max_threads = 0 */ settings max_block_size = 65505, " + test.name + " = "
			says("in a clause", shared.post(t, access.Analyst, clause+quoted))
			says("in the address's question", shared.request(t, http.MethodGet, access.Analyst, nil, nil, "query", clause+quoted))
		}
		if session := "clamp " + test.name + test.value; test.answer != "452" {
			if a := shared.post(t, access.Analyst, "SET "+test.name+" = "+quoted, "session_id", session); a.status != http.StatusOK {
				t.Errorf("SET %s = %s: %s", test.name, test.value, a.body)
			}
			says("in a session", shared.post(t, access.Analyst, test.sql, "session_id", session))
		}
	}
	// Of the program nothing is changed.
	if a := shared.post(t, access.App, kept+"max_execution_time')", "max_execution_time", "300"); a.body != "300\n" {
		t.Errorf("the program's: %s", a.body)
	}
	if long := testing.Short(); !long {
		began := time.Now()
		a := shared.post(t, access.Analyst, endless, "max_execution_time", "300")
		if took := time.Since(began); a.code() != "159" || took < 50*time.Second || took > 100*time.Second {
			t.Errorf("it ended after %s: %s", took, a.body)
		}
	}
}

// TestTextsAreNotClamped: what only looks like a setting stays as it was written.
func TestTextsAreNotClamped(t *testing.T) {
	for _, sql := range []string{
		"SELECT 'SETTINGS max_threads = 0'", `SELECT 'it\'s SETTINGS max_threads = 0'`, "SELECT 'it''s SETTINGS max_threads = 0'",
		"SELECT 1 AS `SETTINGS max_threads = 0`", `SELECT 1 AS "SETTINGS max_threads = 0"`, "SELECT 1 -- SETTINGS max_threads = 0\n",
		"SELECT 1 /* SETTINGS max_threads = 0 */", "SELECT 1 # SETTINGS max_threads = 0\n", "SELECT $$ SETTINGS max_threads = 0 $$", "SELECT $a$ SETTINGS max_threads = 0 $a$",
		"SELECT max_threads = 0 FROM (SELECT 1 AS max_threads)", "SELECT settings, max_threads = 0 FROM t", "SELECT 1 FROM offset max_threads = 0", "SELECT 1 SETTINGS max_threads = 4",
	} {
		if got := (clamp{access.Limits{Memory: 1 << 30}}).text(sql); got != sql {
			t.Errorf("%s became %s", sql, got)
		}
	}
}

// TestBodiesThatAreNoTextPass as they came.
func TestBodiesThatAreNoTextPass(t *testing.T) {
	const question = "SELECT 1 SETTINGS max_threads = 64"
	for name, change := range map[string]func(r *http.Request){
		"encoded":  func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") },
		"a form":   func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=x") },
		"endless":  func(r *http.Request) { r.ContentLength = -1 },
		"native":   func(r *http.Request) { r.URL.RawQuery = "decompress=1" },
		"too long": func(r *http.Request) { r.ContentLength = longestQuestion + 1 },
		"a text":   func(*http.Request) {},
	} {
		r, err := http.NewRequest(http.MethodPost, "http://x/", strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		if err := (clamp{}).request(r, r.URL.Query()); err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			t.Fatal(err)
		}
		if (body.String() == question) != (name != "a text") {
			t.Errorf("%s: %s", name, body.String())
		}
	}
}
