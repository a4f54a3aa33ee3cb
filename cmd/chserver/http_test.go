package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func TestPingNeedsNoPassword(t *testing.T) {
	for _, path := range []string{"/ping", "/"} {
		response, err := http.Get("http://" + shared.address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || string(body) != "Ok.\n" {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		response.Body.Close()
	}
}

func TestAuthentication(t *testing.T) {
	tests := map[string]struct {
		prepare func(r *http.Request)
		status  int
	}{
		"basic": {func(r *http.Request) { r.SetBasicAuth("app", appPassword) }, 200},
		"headers": {func(r *http.Request) {
			r.Header.Set("X-ClickHouse-User", "app")
			r.Header.Set("X-ClickHouse-Key", appPassword)
		}, 200},
		"none":           {func(*http.Request) {}, 401},
		"wrong password": {func(r *http.Request) { r.SetBasicAuth("app", analystPassword) }, 403},
		"unknown user":   {func(r *http.Request) { r.SetBasicAuth("default", "") }, 403},
		"empty password": {func(r *http.Request) { r.SetBasicAuth("app", "") }, 403},
	}
	for name, test := range tests {
		r, err := http.NewRequest(http.MethodGet, "http://"+shared.address+"/?query=SELECT+1", nil)
		if err != nil {
			t.Fatal(err)
		}
		test.prepare(r)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d", name, response.StatusCode, test.status)
		}
	}
	byURL, err := http.Get("http://" + shared.address + "/?query=SELECT+1&user=app&password=" + strings.ReplaceAll(appPassword, " ", "+"))
	if err != nil {
		t.Fatal(err)
	}
	byURL.Body.Close()
	if byURL.StatusCode != 200 {
		t.Errorf("query string: status %d", byURL.StatusCode)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		sql     string
		options []string
		status  int
		code    string
	}{
		{"SELECT 1; SELECT 2", nil, 400, "62"},
		{"CREATE TABLE never (a Int8) ENGINE = Memory; garbage", nil, 400, "62"},
		{"garbage", nil, 400, "62"},
		{"", nil, 400, "62"},
		{"SELECT 1", []string{"no_such_setting", "1"}, 400, "115"},
		{"SELECT 1", []string{"max_threads", "x"}, 400, "27"},
		{"SELECT 1", []string{"database", "no such"}, 404, "81"},
		{"SELECT 1 FORMAT NoSuchFormat", nil, 404, "73"},
		{"SELECT 1", []string{"default_format", "NoSuchFormat"}, 404, "73"},
		{"SELECT {n:UInt8}", nil, 400, "456"},
		{"SELECT {n:UInt8}", []string{"param_n", "x"}, 400, "457"},
		{"SELECT sleepEachRow(1) FROM numbers(30)", []string{"max_execution_time", "1", "max_block_size", "1"}, 408, "159"},
		{"SELECT groupArray(toString(number)) FROM numbers(50000000)", []string{"max_memory_usage", "100000000"}, 500, "241"},
		{"SELECT 1", []string{"session_id", "x"}, 501, "48"},
		{"SELECT * FROM x", []string{"x_structure", "a Int8", "x_format", "CSV"}, 501, "48"},
		{"SELECT 1", []string{"role", "x"}, 501, "48"},
		{"SELECT 1 INTO OUTFILE '/tmp/chserver-outfile'", nil, 403, "497"},
		{"INSERT INTO never FROM INFILE '/etc/passwd' FORMAT CSV", nil, 403, "497"},
		{"INSERT INTO never FORMAT CSV\n1", nil, 404, "60"},
		{"INSERT INTO never SELECT a FROM input('a Int8') FORMAT CSV\n1", nil, 501, "48"},
		{"SELECT number, repeat(toString(number % 10), 100) FROM numbers(3000000) FORMAT JSON", nil, 500, "396"},
	}
	for _, test := range tests {
		a := shared.post(t, userApp, test.sql, test.options...)
		if a.status != test.status || a.code() != test.code || !strings.HasPrefix(a.body, "Code: "+test.code+". DB::Exception: ") {
			t.Errorf("%s %q: %d %s %.500s", test.sql, test.options, a.status, a.code(), a.body)
		}
	}
	if got := shared.must(t, "EXISTS TABLE never"); got != "0" {
		t.Error("a statement before a mistake was executed")
	}
}

func TestGetOnlyReads(t *testing.T) {
	for sql, status := range map[string]int{"SELECT 1": 200, "CREATE TABLE by_get (a Int8) ENGINE = Memory": 403, "SELECT 1 SETTINGS max_threads = 1": 200} {
		if a := shared.request(t, http.MethodGet, userApp, nil, nil, "query", sql); a.status != status {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
	if a := shared.request(t, http.MethodDelete, userApp, nil, nil, "query", "SELECT 1"); a.status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", a.status)
	}
}

// Formats that are sent block by block must be the same as in one piece.
func TestStreamedEqualsWhole(t *testing.T) {
	for format := range streamed {
		for _, sql := range []string{
			"SELECT number, toString(number) AS s, [number] AS list, if(number % 2 = 0, NULL, number) AS maybe FROM numbers(150000)",
			"SELECT number % 3 AS k, count() AS c FROM numbers(10) GROUP BY k WITH TOTALS ORDER BY k",
			"SELECT 1 WHERE 0",
			"SELECT number FROM numbers(3000000) WHERE number % 1000000 = 999999 SETTINGS max_block_size = 1000",
		} {
			pieces := shared.post(t, userApp, sql, "default_format", format, "max_threads", "1")
			whole := shared.post(t, userApp, sql, "default_format", format, "max_threads", "1", "wait_end_of_query", "1")
			if pieces.status != 200 || whole.status != 200 {
				t.Fatalf("%s: %d %s, %d %s", format, pieces.status, pieces.body, whole.status, whole.body)
			}
			if format == "Native" {
				// Blocks may be cut elsewhere; clickhouse-go's tests read their values.
				continue
			}
			if pieces.body != whole.body {
				t.Errorf("%s: %s: %d bytes in pieces, %d as a whole", format, sql, len(pieces.body), len(whole.body))
			}
		}
	}
}

func TestWholeFormats(t *testing.T) {
	sql := "SELECT number AS n, 'a' AS s FROM numbers(200000)"
	for format, check := range map[string]func(body string) bool{
		"CSVWithNames": func(b string) bool { return strings.Count(b, `"n"`) == 1 && strings.Count(b, "\n") == 200001 },
		"JSON":         func(b string) bool { return strings.Count(b, `"meta"`) == 1 && strings.Contains(b, `"rows": 200000`) },
		"JSONCompact":  func(b string) bool { return strings.Count(b, `"meta"`) == 1 },
		"Parquet":      func(b string) bool { return strings.HasPrefix(b, "PAR1") && strings.HasSuffix(b, "PAR1") },
		"ArrowStream":  func(b string) bool { return len(b) > 200000*8 },
	} {
		if a := shared.post(t, userApp, sql+" FORMAT "+format); a.status != 200 || !check(a.body) {
			t.Errorf("%s: %d, %d bytes", format, a.status, len(a.body))
		}
	}
	array := shared.post(t, userApp, sql+" FORMAT JSONEachRow", "output_format_json_array_of_rows", "1")
	if array.status != 200 || strings.Count(array.body, "[") != 1 || !strings.HasSuffix(array.body, "]\n") {
		t.Errorf("array of rows: %d, %d bytes", array.status, len(array.body))
	}
	if a := shared.post(t, userApp, "DESCRIBE TABLE system.one FORMAT Native"); a.status != 200 || a.body == "" {
		t.Errorf("DESCRIBE: %d %s", a.status, a.body)
	}
}

func TestErrorAfterDataWasSent(t *testing.T) {
	sql := "SELECT number, repeat('x', 100), throwIf(number = 300000, 'in the middle') FROM numbers(400000) SETTINGS max_threads = 1, max_block_size = 10000 FORMAT TSV"
	a := shared.post(t, userApp, sql)
	tag := a.header.Get("X-ClickHouse-Exception-Tag")
	if a.status != 200 || len(tag) != 16 {
		t.Fatalf("%d, tag %q", a.status, tag)
	}
	before, tail, found := strings.Cut(a.body, "\r\n__exception__\r\n"+tag+"\r\n")
	if !found || !strings.HasPrefix(before, "0\txxx") || !strings.HasPrefix(tail, "Code: 395. ") || !strings.HasSuffix(tail, tag+"\r\n__exception__\r\n") {
		t.Fatalf("tail %q", tail)
	}
	// With wait_end_of_query the same failure is an ordinary error.
	if a := shared.post(t, userApp, sql, "wait_end_of_query", "1"); a.status != 500 || a.code() != "395" {
		t.Fatalf("%d %s", a.status, a.code())
	}
}

func TestResponseEncodings(t *testing.T) {
	decode := map[string]func(r io.Reader) (io.Reader, error){
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"zstd":    func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for encoding, decoder := range decode {
		for _, rows := range []int{1, 500000} {
			header := http.Header{"Accept-Encoding": {encoding + ", *;q=0.1"}}
			a := shared.request(t, http.MethodPost, userApp, strings.NewReader(fmt.Sprintf("SELECT number FROM numbers(%d)", rows)), header)
			if a.header.Get("Content-Encoding") != encoding {
				t.Fatalf("%s: Content-Encoding %q", encoding, a.header.Get("Content-Encoding"))
			}
			r, err := decoder(strings.NewReader(a.body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil || bytes.Count(text, []byte("\n")) != rows {
				t.Errorf("%s: %d lines, %v", encoding, bytes.Count(text, []byte("\n")), err)
			}
		}
	}
}

func TestInserts(t *testing.T) {
	shared.must(t, "CREATE TABLE inserts (n UInt64, s String) ENGINE = MergeTree ORDER BY n")
	native := shared.post(t, userApp, "SELECT toUInt64(7) AS n, 'native' AS s FORMAT Native").body
	parquet := shared.post(t, userApp, "SELECT toUInt64(8) AS n, 'parquet' AS s FORMAT Parquet").body
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, "10,zipped\n")
	z.Close()
	var zstandard bytes.Buffer
	zs, err := zstd.NewWriter(&zstandard)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(zs, "11,zstd\n")
	zs.Close()
	tests := []struct {
		query, body, encoding string
		options               []string
		n                     int
	}{
		{"INSERT INTO inserts FORMAT CSV", "1,\"a\nb\"\n", "", nil, 1},
		{"INSERT INTO inserts (s, n) FORMAT CSV", "a,2\n", "", nil, 2},
		{"", "INSERT INTO inserts FORMAT JSONEachRow {\"n\":3,\"s\":\"x\"}\n{\"n\":3,\"s\":\"y\"}", "", nil, 3},
		{"", "INSERT INTO inserts VALUES (4, 'a''b'), (2+2, concat('x', ';'));", "", nil, 4},
		{"INSERT INTO inserts VALUES", "(5, 'x')", "", nil, 5},
		{"", "INSERT INTO inserts FORMAT TSV\n6\tx\n6\ty\n", "", nil, 6},
		{"INSERT INTO inserts FORMAT Native", native, "", nil, 7},
		{"INSERT INTO inserts FORMAT Parquet", parquet, "", nil, 8},
		{"INSERT INTO inserts SELECT number + {from:UInt64}, {s:String} FROM numbers(1)", "", "", []string{"param_from", "9", "param_s", "select"}, 9},
		{"INSERT INTO inserts FORMAT CSV", zipped.String(), "gzip", nil, 10},
		{"INSERT INTO inserts FORMAT CSV", zstandard.String(), "zstd", nil, 11},
		{"INSERT INTO inserts SETTINGS async_insert = 1 FORMAT CSV", "12,x\n", "", nil, 12},
		{"", "INSERT INTO inserts VALUES ({n:UInt64}, {s:String})", "", []string{"param_n", "13", "param_s", "x"}, 13},
		{"INSERT INTO {t:Identifier} FORMAT CSV", "14,x\n", "", []string{"param_t", "inserts"}, 14},
	}
	for _, test := range tests {
		header := http.Header{}
		if test.encoding != "" {
			header.Set("Content-Encoding", test.encoding)
		}
		options := test.options
		if test.query != "" {
			options = append(options, "query", test.query)
		}
		a := shared.request(t, http.MethodPost, userApp, strings.NewReader(test.body), header, options...)
		if a.status != 200 || a.body != "" {
			t.Errorf("%s %q: %d %s", test.query, test.body, a.status, a.body)
			continue
		}
		if got := shared.must(t, fmt.Sprintf("SELECT count() > 0 FROM inserts WHERE n = %d", test.n)); got != "1" {
			t.Errorf("%s %q: nothing stored", test.query, test.body)
		}
	}
	big := shared.request(t, http.MethodPost, userApp, strings.NewReader(strings.Repeat("100,abc\n", 500000)), nil, "query", "INSERT INTO inserts FORMAT CSV")
	if big.status != 200 || !strings.Contains(big.header.Get("X-ClickHouse-Summary"), `"written_rows":"500000"`) {
		t.Errorf("%d %s %s", big.status, big.body, big.header.Get("X-ClickHouse-Summary"))
	}
}

func TestBrokenInsertStoresNothing(t *testing.T) {
	shared.must(t, "CREATE TABLE broken (n UInt64) ENGINE = MergeTree ORDER BY n")
	a := shared.post(t, userApp, strings.Repeat("1\n", 100000)+"x\n", "query", "INSERT INTO broken FORMAT CSV")
	if a.status != 400 || a.code() != "27" && a.code() != "117" {
		t.Errorf("bad data: %d %s", a.status, a.body)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, strings.Repeat("1\n", 100000))
	z.Close()
	data := strings.Repeat("1\n", 100000)
	for name, request := range map[string]string{
		"length":  fmt.Sprintf("Content-Length: %d\r\n\r\n%s", 2*len(data), data),
		"chunked": fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(data), data),
		"chunk":   fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s", len(data), data[:len(data)/2]),
		"gzip":    fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", zipped.Len()-10, zipped.Bytes()[:zipped.Len()-10]),
	} {
		connection, err := net.Dial("tcp", shared.address)
		if err != nil {
			t.Fatal(err)
		}
		head := "POST /?query=INSERT+INTO+broken+FORMAT+CSV HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: app\r\nX-ClickHouse-Key: " + appPassword + "\r\n"
		if _, err := io.WriteString(connection, head+request); err != nil {
			t.Fatal(err)
		}
		if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err == nil && response.StatusCode == 200 {
			t.Errorf("%s: a truncated upload was acknowledged", name)
		}
		connection.Close()
	}
	if got := shared.must(t, "SELECT count() FROM broken"); got != "0" {
		t.Errorf("%s rows of broken inserts were stored", got)
	}
}

func TestForm(t *testing.T) {
	send := func(fields map[string]string, file bool) answer {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, value := range fields {
			if err := form.WriteField(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if file {
			if _, err := form.CreateFormFile("table", "x.csv"); err != nil {
				t.Fatal(err)
			}
		}
		form.Close()
		return shared.request(t, http.MethodPost, userApp, &body, http.Header{"Content-Type": {form.FormDataContentType()}})
	}
	if a := send(map[string]string{"query": "SELECT {a:UInt8} + 1", "param_a": "4"}, false); a.body != "5\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := send(map[string]string{"query": "SELECT * FROM table"}, true); a.code() != "48" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestHeaders(t *testing.T) {
	a := shared.post(t, userApp, "SELECT 1 FORMAT CSV", "query_id", "my id")
	for name, want := range map[string]string{
		"X-ClickHouse-Query-Id": "my id", "X-ClickHouse-Format": "CSV", "X-ClickHouse-Timezone": "UTC",
		"Content-Type": "text/csv; charset=UTF-8; header=absent", "Content-Length": "2",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
