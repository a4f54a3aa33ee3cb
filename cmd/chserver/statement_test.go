package main

import "testing"

func TestParseInsert(t *testing.T) {
	tests := []struct{ sql, head, format, data string }{
		{"INSERT INTO t FORMAT CSV\n1,2", "INSERT INTO t ", "CSV", "1,2"},
		{"insert into t (a, b) format Native\r\n\x01", "insert into t (a, b) ", "Native", "\x01"},
		{"INSERT INTO t FORMAT JSONEachRow {\"a\":1}", "INSERT INTO t ", "JSONEachRow", `{"a":1}`},
		{"INSERT INTO t VALUES (1, ';')", "INSERT INTO t ", "Values", " (1, ';')"},
		{"-- why\nINSERT /* x */ INTO TABLE `values` (`format`) SETTINGS a = 1 FORMAT CSV\n", "-- why\nINSERT /* x */ INTO TABLE `values` (`format`) SETTINGS a = 1 ", "CSV", ""},
		{"INSERT INTO format.values (values) VALUES (1)", "INSERT INTO format.values (values) ", "Values", " (1)"},
		{"INSERT INTO FUNCTION null('a Int8') FORMAT CSV\n\n1", "INSERT INTO FUNCTION null('a Int8') ", "CSV", "\n1"},
		{"INSERT INTO t SELECT * FROM x FORMAT CSV", "", "", ""},
		{"INSERT INTO t (a) (SELECT 1)", "", "", ""},
		{"INSERT INTO t WITH 1 AS a SELECT a", "", "", ""},
		{"INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV", "", "", ""},
		{"SELECT 'INSERT INTO t FORMAT CSV'", "", "", ""},
		{"", "", "", ""},
	}
	for _, test := range tests {
		got, ok := parseInsert(test.sql)
		if ok != (test.format != "") {
			t.Errorf("%q: found %v", test.sql, ok)
			continue
		}
		if ok && (got.head != test.head || got.format != test.format || test.sql[got.data:] != test.data) {
			t.Errorf("%q: got %+v", test.sql, got)
		}
	}
}

func TestInspect(t *testing.T) {
	formats := map[string]bool{"JSON": true, "CSV": true}
	tests := []struct {
		sql  string
		want shape
	}{
		{"SELECT 1 FORMAT JSON", shape{format: "JSON", reads: true}},
		{"SELECT 1 format JSON ;", shape{format: "JSON", reads: true}},
		{"SELECT 1 FORMAT JSON SETTINGS a = 1", shape{format: "JSON", reads: true}},
		{"SELECT 1 FORMAT JSON -- FORMAT CSV", shape{format: "JSON", reads: true}},
		{"SELECT 'FORMAT CSV'", shape{reads: true}},
		{"SELECT 1 AS format", shape{reads: true}},
		{"SELECT * FROM system.formats AS format FINAL", shape{reads: true}},
		{"SELECT (SELECT 1 FORMAT JSON)", shape{reads: true}},
		{"SELECT a, count() FROM t GROUP BY a WITH TOTALS", shape{wholeDocument: true, reads: true}},
		{"SELECT 1 INTO /* x */ OUTFILE 'x' FORMAT CSV", shape{format: "CSV", touchesFiles: true, reads: true}},
		{"SELECT 'INTO OUTFILE'", shape{reads: true}},
		{"INSERT INTO t FROM INFILE 'x'", shape{touchesFiles: true}},
		{"INSERT INTO t SELECT a FROM input ('a Int8') FORMAT CSV", shape{format: "CSV", readsInput: true}},
		{"(SELECT $$ ' INTO OUTFILE $$) FORMAT CSV", shape{format: "CSV", reads: true}},
		{`SELECT 'it''s \' INTO OUTFILE' FORMAT CSV`, shape{format: "CSV", reads: true}},
	}
	for _, test := range tests {
		if got := inspect(test.sql, formats); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.sql, got, test.want)
		}
	}
}
