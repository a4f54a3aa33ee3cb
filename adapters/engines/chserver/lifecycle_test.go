package chserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

func TestRefusesToStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	sealed, inside := dataDirectory(t), dataDirectory(t)
	file := filepath.Join(t.TempDir(), "file")
	for _, err := range []error{os.Chmod(sealed, 0o500), os.Mkdir(filepath.Join(inside, "engine"), 0o500), os.WriteFile(file, []byte("x"), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	passwords := `{"app": "x"}`
	tests := map[string]struct {
		arguments []string
		in        string
		sentence  string
	}{
		"port":               {[]string{"--listen", taken.Addr().String()}, passwords, "address already in use"},
		"no port":            {[]string{"--listen", "127.0.0.1:99999"}, passwords, "invalid port"},
		"not loopback":       {[]string{"--listen", "0.0.0.0:0"}, passwords, "not a loopback address"},
		"no library":         {[]string{"--library", "/no/such/libchdb.so"}, passwords, "load library /no/such/libchdb.so: no such file"},
		"not a library":      {[]string{"--library", file}, passwords, "load library"},
		"locked":             {[]string{"--data", shared.data}, passwords, "another process uses it"},
		"read-only data":     {[]string{"--data", sealed}, passwords, "permission denied"},
		"read-only inside":   {[]string{"--data", inside}, passwords, "permission denied"},
		"data is a file":     {[]string{"--data", file}, passwords, "not a directory"},
		"no users":           {nil, "", "from standard input: EOF"},
		"no JSON":            {nil, "x", "from standard input: invalid character"},
		"JSON of other kind": {nil, "[1]", "from standard input: json"},
		"no app":             {nil, `{"analyst": "x"}`, `no password for "app"`},
		"empty password":     {nil, `{"app": ""}`, `no password for "app"`},
		"too little":         {[]string{"--max-memory", "1000"}, passwords, "--max-memory must be at least"},
		"unknown flag":       {[]string{"--frobnicate"}, passwords, "frobnicate"},
		"more arguments":     {[]string{"more"}, passwords, "unexpected argument"},
		"uid without gid":    {[]string{"--gid", "-1", "--uid", "5"}, passwords, "go together"},
		"no database":        {[]string{"--database", ""}, passwords, "must not be empty"},
		"no data":            {[]string{"--data", ""}, passwords, "must not be empty"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			refuses(t, test.in, test.sentence, test.arguments...)
		})
	}
	if got := shared.must(t, "SELECT 1"); got != "1" {
		t.Errorf("the server beside answers %q", got)
	}
}

// refuses says whether a server ends with status 2 and a last line that has the sentence.
func refuses(t *testing.T, in, sentence string, more ...string) {
	t.Helper()
	list, err := arguments(dataDirectory(t))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, append(list, more...)...)
	c.Stdin = strings.NewReader(in)
	out, err := c.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("exit %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "chserver: ") || !strings.Contains(last, sentence) {
		t.Errorf("said %q", out)
	}
}

func TestLibraryMustBeReadable(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("there is no other user without root")
	}
	library := filepath.Join(t.TempDir(), "libchdb.so")
	if err := os.WriteFile(library, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuses(t, `{"app": "x"}`, fmt.Sprintf("user %d may not read it", nobody), "--library", library)
}

// A name is a name, whatever it has in it.
func TestNamesAreEscaped(t *testing.T) {
	data := filepath.Join(t.TempDir(), `R&D <new> "a" 'b'`)
	if err := makeDataDirectory(data); err != nil {
		t.Fatal(err)
	}
	for _, database := range []string{"my base", "a`b\\c&<d>'e\""} {
		p := serveData(t, data, "--database", database)
		for _, user := range []string{access.App, access.Analyst} {
			if a := p.post(t, user, "SELECT currentDatabase()", "default_format", "TSVRaw"); a.body != database+"\n" {
				t.Errorf("%s is in %d %q", user, a.status, a.body)
			}
		}
		p.must(t, "CREATE TABLE t (n UInt8) ENGINE = MergeTree ORDER BY n", "INSERT INTO t VALUES (7)")
		if a := p.post(t, access.Analyst, "SELECT n FROM t"); a.body != "7\n" {
			t.Errorf("%q: %d %s", database, a.status, a.body)
		}
		p.end()
	}
}

func TestRestartKeepsData(t *testing.T) {
	data := dataDirectory(t)
	p := serveData(t, data)
	p.must(t, "CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n", "INSERT INTO kept SELECT number FROM numbers(1000)",
		"CREATE VIEW kept_view AS SELECT sum(n) AS total FROM kept")
	p.end()
	if p.err != nil {
		t.Fatalf("ended with %v: %s", p.err, p.log)
	}
	p = serveData(t, data)
	if a := p.post(t, access.Analyst, "SELECT total FROM kept_view"); a.body != "499500\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestNoAnalystWithoutPassword(t *testing.T) {
	list, err := arguments(dataDirectory(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := startArguments(list, map[string]string{access.App: appPassword})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	if got := p.must(t, "SELECT currentUser()"); got != access.App {
		t.Errorf("app is %q", got)
	}
	for _, password := range []string{"", analystPassword} {
		if a := raw(t, p.address, "GET /?query=SELECT+1 HTTP/1.1\r\nAuthorization: "+basic(access.Analyst, password)); a.code() != "516" {
			t.Errorf("%q: %d %s", password, a.status, a.body)
		}
	}
}

func TestEveryThreadIsUnprivileged(t *testing.T) {
	shared.must(t, "SELECT uniqExact(number) FROM numbers_mt(1000000)")
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", shared.command.Process.Pid))
	if err != nil || len(tasks) < 5 {
		t.Fatalf("%d threads, %v", len(tasks), err)
	}
	want := os.Getuid()
	if want == 0 {
		want = nobody
	}
	for _, task := range tasks {
		status, err := os.ReadFile(task)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if line := fmt.Sprintf("\nUid:\t%d\t%d\t%d\t%d\n", want, want, want, want); !strings.Contains(string(status), line) {
			t.Errorf("%s:\n%s", task, status)
		}
		for _, line := range []string{"\nGroups:\t \n", "\nCapPrm:\t0000000000000000\n", "\nCapEff:\t0000000000000000\n", "\nNoNewPrivs:\t1\n"} {
			if os.Getuid() == 0 && !strings.Contains(string(status), line) {
				t.Errorf("%s has no %q:\n%s", task, line, status)
			}
		}
	}
}

// A library that only root can reach, as under root's own home.
func TestLibraryNeedsNotBeReachable(t *testing.T) {
	library, err := libraryFile()
	if err != nil {
		t.Fatal(err)
	}
	hidden := filepath.Join(t.TempDir(), "hidden")
	if err := os.Mkdir(hidden, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(hidden, "libchdb.so")
	if err := os.Symlink(library, link); err != nil {
		t.Fatal(err)
	}
	p := serveData(t, dataDirectory(t), "--library", link, "--database", "my base")
	if got := p.must(t, "SELECT currentDatabase(), engine FROM system.databases WHERE name = currentDatabase()"); got != "my base\tAtomic" {
		t.Errorf("got %q", got)
	}
}

// The tables hold what was said in the clear: no copy of them is made, not even where the engine
// may write.
func TestNobodyCopiesTheTables(t *testing.T) {
	p := serveData(t, dataDirectory(t))
	p.must(t, "CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n", "INSERT INTO kept SELECT number FROM numbers(10)")
	elsewhere := filepath.Join(p.data, "elsewhere")
	for _, path := range []string{elsewhere, "/tmp/chserver-backup", "../" + filepath.Base(p.data) + "/elsewhere", "elsewhere"} {
		for _, user := range []string{access.App, access.Analyst} {
			if a := p.post(t, user, "BACKUP TABLE kept TO File('"+path+"')"); a.status == http.StatusOK {
				t.Errorf("%s backed up to %s", user, path)
			}
		}
	}
	if _, err := os.Stat(elsewhere); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a backup lies elsewhere: %v", err)
	}
}

func TestStopsUnderLoad(t *testing.T) {
	long(t)
	t.Parallel()
	p := serveData(t, dataDirectory(t))
	p.must(t, "CREATE TABLE loaded (n UInt64) ENGINE = MergeTree ORDER BY n")
	answers := make(chan error, 10)
	client := func(sql, body string) {
		r, err := http.NewRequest(http.MethodPost, "http://"+p.address+"/?query="+strings.ReplaceAll(sql, " ", "+"), strings.NewReader(body))
		if err != nil {
			answers <- err
			return
		}
		r.SetBasicAuth(access.App, appPassword)
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			response.Body.Close()
		}
		answers <- err
	}
	go client("SELECT uniqExact(sipHash64(number)) FROM numbers(100000000000)", "")
	go client("SELECT count() FROM numbers(100000000000) WHERE NOT ignore(sipHash64(number)) FORMAT JSON", "")
	// One who starts an upload and goes silent, and one who takes nothing.
	for _, head := range []string{
		"POST /?query=INSERT+INTO+loaded+FORMAT+CSV HTTP/1.1\r\nContent-Length: 1000000\r\n",
		"POST /?query=SELECT+number+FROM+numbers(1000000000) HTTP/1.1\r\nContent-Length: 0\r\n",
	} {
		silent, err := net.Dial("tcp", p.address)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		fmt.Fprintf(silent, "%sHost: x\r\nX-ClickHouse-User: app\r\nX-ClickHouse-Key: %s\r\n\r\n1\n", head, appPassword)
	}
	eventually(t, "the load did not start", func() bool {
		return p.must(t, "SELECT count() >= 3 FROM system.processes WHERE query NOT LIKE '%system.processes%'") == "1"
	})
	began := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		t.Fatalf("still running: %s", p.log)
	}
	if p.err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("ended after %v: %v: %s", time.Since(began), p.err, p.log)
	}
}

func TestStopsAtOnceWhenIdle(t *testing.T) {
	for name, stop := range map[string]func(p *process) error{
		"end of input": func(p *process) error { return p.life.Close() },
		"SIGTERM":      func(p *process) error { return p.command.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(p *process) error { return p.command.Process.Signal(syscall.SIGINT) },
	} {
		p := serveData(t, dataDirectory(t))
		p.must(t, "SELECT 1")
		if err := stop(p); err != nil {
			t.Fatal(err)
		}
		select {
		case <-p.ended:
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: still running: %s", name, p.log)
		}
		if p.err != nil || p.log.String() != "" {
			t.Errorf("%s: ended with %v: %s", name, p.err, p.log)
		}
	}
}

func TestStopsBeforeItAnswers(t *testing.T) {
	list, err := arguments(dataDirectory(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithTimeout(t.Context(), 10*time.Second)
	defer done()
	c := exec.CommandContext(ctx, program, list...)
	c.Stdin = strings.NewReader(`{"app": "x"}`)
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("ended with %v: %s", err, out)
	}
}

// A server must not outlive the one that started it, however that ends.
func TestEndsWithItsParent(t *testing.T) {
	list, err := arguments(dataDirectory(t))
	if err != nil {
		t.Fatal(err)
	}
	middle := exec.Command(os.Args[0])
	middle.Env = append(os.Environ(), "CHSERVER_TEST_PARENT="+strings.Join(list, "\n"), "CHSERVER_TEST_PROGRAM="+program)
	out, err := middle.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := middle.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatalf("the server did not start: %v", err)
	}
	if err := middle.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = middle.Wait()
	eventually(t, "the server outlived its parent", func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		return err != nil || strings.Contains(string(status), "State:\tZ")
	})
}

// parent runs a server that is to end with it, says which when it answers, and waits.
func parent(list []string) {
	program = os.Getenv("CHSERVER_TEST_PROGRAM")
	server, err := startArguments(list, map[string]string{access.App: appPassword})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.command.Process.Pid)
	<-server.ended
	os.Exit(1)
}

// What was acknowledged survives kill -9, and nothing is stored by halves.
func TestKilledDuringInserts(t *testing.T) {
	long(t)
	t.Parallel()
	const batchRows = 2000
	data := dataDirectory(t)
	acknowledged := map[uint64]bool{}
	next := uint64(0)
	for range 3 {
		p := serveData(t, data)
		p.must(t, "CREATE TABLE IF NOT EXISTS durable (batch UInt64, n UInt64, s String) ENGINE = MergeTree ORDER BY (batch, n)")
		c := dial(t, p, access.App, compressions["lz4"])
		var mutex sync.Mutex
		var work sync.WaitGroup
		for range 2 {
			work.Go(func() {
				for {
					mutex.Lock()
					batch := next
					next++
					mutex.Unlock()
					insert, err := c.PrepareBatch(context.Background(), "INSERT INTO durable")
					if err != nil {
						return
					}
					for n := range uint64(batchRows) {
						if err := insert.Append(batch, n, "some text"); err != nil {
							t.Error(err)
							return
						}
					}
					if insert.Send() != nil {
						return
					}
					mutex.Lock()
					acknowledged[batch] = true
					mutex.Unlock()
				}
			})
		}
		time.Sleep(700 * time.Millisecond)
		if err := p.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-p.ended
		work.Wait()
	}
	p := serveData(t, data)
	stored := map[uint64]bool{}
	rows, err := dial(t, p, access.App, nil).Query(t.Context(), "SELECT batch, count(), uniqExact(n) FROM durable GROUP BY batch")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var batch, count, distinct uint64
		if err := rows.Scan(&batch, &count, &distinct); err != nil {
			t.Fatal(err)
		}
		if count != batchRows || distinct != batchRows {
			t.Errorf("batch %d has %d rows, %d of them different", batch, count, distinct)
		}
		stored[batch] = true
	}
	for batch := range acknowledged {
		if !stored[batch] {
			t.Errorf("acknowledged batch %d is lost", batch)
		}
	}
	if len(acknowledged) == 0 {
		t.Error("nothing was acknowledged")
	}
	t.Logf("%d batches acknowledged, %d stored", len(acknowledged), len(stored))
}
