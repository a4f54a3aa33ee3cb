package chserver

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

	"bitacora/adapters/clickhouse/access"
)

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
		{"SELECT 1", []string{"no_such_setting", "1"}, 404, "115"},
		{"SELECT 1", []string{"max_threads", "x"}, 400, "27"},
		{"SELECT 1", []string{"database", "no such"}, 404, "81"},
		{"SELECT 1 FORMAT NoSuchFormat", nil, 404, "73"},
		{"SELECT 1", []string{"default_format", "NoSuchFormat"}, 404, "73"},
		{"SELECT {n:UInt8}", nil, 500, "456"},
		{"SELECT {n:UInt8}", []string{"param_n", "x"}, 500, "457"},
		{"SELECT sleepEachRow(1) FROM numbers(30)", []string{"max_execution_time", "1", "max_block_size", "1"}, 408, "159"},
		{"SELECT groupArray(toString(number)) FROM numbers(50000000)", []string{"max_memory_usage", "100000000"}, 500, "241"},
		{"SELECT 1", []string{"session_id", "unknown", "session_check", "1"}, 500, "372"},
		{"SELECT 1", []string{"role", "x"}, 404, "511"},
		{"SELECT 1 INTO OUTFILE '/tmp/chserver-outfile'", nil, 500, "358"},
		{"INSERT INTO never FORMAT CSV\n1", nil, 404, "60"},
		{"SELECT number FROM numbers(3000000) FORMAT JSON", []string{"max_result_rows", "1000"}, 500, "396"},
	}
	for _, test := range tests {
		a := shared.post(t, access.App, test.sql, test.options...)
		if a.status != test.status || a.code() != test.code || !strings.HasPrefix(a.body, "Code: "+test.code+". DB::Exception: ") {
			t.Errorf("%s %q: %d %s %.500s", test.sql, test.options, a.status, a.code(), a.body)
		}
	}
	if got := shared.must(t, "EXISTS TABLE never"); got != "0" {
		t.Error("a statement before a mistake was executed")
	}
}

func TestGetOnlyReads(t *testing.T) {
	for sql, status := range map[string]int{"SELECT 1": 200, "CREATE TABLE by_get (a Int8) ENGINE = Memory": 500, "SELECT 1 SETTINGS max_threads = 1": 200} {
		if a := shared.request(t, http.MethodGet, access.App, nil, nil, "query", sql); a.status != status {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
	if got := shared.must(t, "EXISTS TABLE by_get"); got != "0" {
		t.Error("a GET created a table")
	}
}

func TestWholeFormats(t *testing.T) {
	// ORC reads the zone of a DateTime64 from the system's files.
	sql := "SELECT number AS n, 'a' AS s, toDateTime64('2026-01-01 00:00:00', 3, 'America/Panama') AS at FROM numbers(200000)"
	for format, check := range map[string]func(body string) bool{
		"CSVWithNames": func(b string) bool { return strings.Count(b, `"n"`) == 1 && strings.Count(b, "\n") == 200001 },
		"JSON":         func(b string) bool { return strings.Count(b, `"meta"`) == 1 && strings.Contains(b, `"rows": 200000`) },
		"JSONCompact":  func(b string) bool { return strings.Count(b, `"meta"`) == 1 },
		"Parquet":      func(b string) bool { return strings.HasPrefix(b, "PAR1") && strings.HasSuffix(b, "PAR1") },
		"ORC":          func(b string) bool { return strings.HasPrefix(b, "ORC") },
		"ArrowStream":  func(b string) bool { return len(b) > 200000*8 },
	} {
		if a := shared.post(t, access.App, sql+" FORMAT "+format); a.status != 200 || !check(a.body) {
			t.Errorf("%s: %d, %d bytes", format, a.status, len(a.body))
		}
	}
	array := shared.post(t, access.App, sql+" FORMAT JSONEachRow", "output_format_json_array_of_rows", "1")
	if array.status != 200 || strings.Count(array.body, "[") != 1 || !strings.HasSuffix(array.body, "]\n") {
		t.Errorf("array of rows: %d, %d bytes", array.status, len(array.body))
	}
	if a := shared.post(t, access.App, "DESCRIBE TABLE system.one FORMAT Native"); a.status != 200 || a.body == "" {
		t.Errorf("DESCRIBE: %d %s", a.status, a.body)
	}
}

func TestErrorAfterDataWasSent(t *testing.T) {
	sql := "SELECT number, repeat('x', 100), throwIf(number = 300000, 'in the middle') FROM numbers(400000) SETTINGS max_threads = 1, max_block_size = 10000 FORMAT TSV"
	a := shared.post(t, access.App, sql)
	tag := a.header.Get("X-ClickHouse-Exception-Tag")
	if a.status != 200 || tag == "" || a.err == nil {
		t.Fatalf("%d, tag %q, %v", a.status, tag, a.err)
	}
	before, tail, found := strings.Cut(a.body, "__exception__\r\n"+tag+"\r\n")
	if !found || !strings.HasPrefix(before, "0\txxx") || !strings.HasPrefix(tail, "Code: 395. ") {
		t.Fatalf("tail %q", tail)
	}
	// With wait_end_of_query the same failure is an ordinary error.
	if a := shared.post(t, access.App, sql, "wait_end_of_query", "1"); a.status != 500 || a.code() != "395" {
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
			header := http.Header{"Accept-Encoding": {encoding}}
			a := shared.request(t, http.MethodPost, access.App, strings.NewReader(fmt.Sprintf("SELECT number FROM numbers(%d)", rows)), header)
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
	native := shared.post(t, access.App, "SELECT toUInt64(7) AS n, 'native' AS s FORMAT Native").body
	parquet := shared.post(t, access.App, "SELECT toUInt64(8) AS n, 'parquet' AS s FORMAT Parquet").body
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
		{"INSERT INTO inserts SELECT n + 14, upper(s) FROM input('n UInt64, s String') FORMAT CSV", "1,x\n", "", nil, 15},
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
		a := shared.request(t, http.MethodPost, access.App, strings.NewReader(test.body), header, options...)
		if a.status != 200 || a.body != "" {
			t.Errorf("%s %q: %d %s", test.query, test.body, a.status, a.body)
			continue
		}
		if got := shared.must(t, fmt.Sprintf("SELECT count() > 0 FROM inserts WHERE n = %d", test.n)); got != "1" {
			t.Errorf("%s %q: nothing stored", test.query, test.body)
		}
	}
	big := shared.request(t, http.MethodPost, access.App, strings.NewReader(strings.Repeat("100,abc\n", 500000)), nil, "query", "INSERT INTO inserts FORMAT CSV")
	if big.status != 200 || !strings.Contains(big.header.Get("X-ClickHouse-Summary"), `"written_rows":"500000"`) {
		t.Errorf("%d %s %s", big.status, big.body, big.header.Get("X-ClickHouse-Summary"))
	}
}

func TestBrokenInsertStoresNothing(t *testing.T) {
	shared.must(t, "CREATE TABLE broken (n UInt64) ENGINE = MergeTree ORDER BY n")
	a := shared.post(t, access.App, strings.Repeat("1\n", 100000)+"x\n", "query", "INSERT INTO broken FORMAT CSV")
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

// upload is a form as curl -F sends it: fields, and one file.
func upload(t *testing.T, user string, fields map[string]string, name, file string, options ...string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if name != "" {
		part, err := form.CreateFormFile(name, "x.csv")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(part, file)
	}
	form.Close()
	return shared.request(t, http.MethodPost, user, &body, http.Header{"Content-Type": {form.FormDataContentType()}}, options...)
}

func TestForm(t *testing.T) {
	a := upload(t, access.App, map[string]string{"param_a": "4"}, "", "", "query", "SELECT {a:UInt8} + 1")
	if a.body != "5\n" {
		t.Errorf("parameter: %d %s", a.status, a.body)
	}
	sql := "SELECT count(), sum(a), max(s) FROM uploaded"
	for _, user := range []string{access.App, access.Analyst} {
		a := upload(t, user, nil, "uploaded", "1,x\n2,y\n", "query", sql, "uploaded_structure", "a UInt8, s String", "uploaded_format", "CSV")
		if a.body != "2\t3\ty\n" {
			t.Errorf("external table of %s: %d %s", user, a.status, a.body)
		}
	}
	if a := upload(t, access.App, nil, "uploaded", "1,x\n", "query", sql); a.code() != "36" {
		t.Errorf("external table without columns: %d %s", a.status, a.body)
	}
}

func TestHeaders(t *testing.T) {
	a := shared.post(t, access.App, "SELECT 1 FORMAT CSV", "query_id", "my id")
	for name, want := range map[string]string{
		"X-ClickHouse-Query-Id": "my id", "X-ClickHouse-Format": "CSV", "X-ClickHouse-Timezone": "UTC",
		"Content-Type": "text/csv; charset=UTF-8; header=absent",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
