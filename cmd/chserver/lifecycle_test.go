package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestRefusesToStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	locked := dataDirectory(t)
	serve(t, locked)
	sealed := dataDirectory(t)
	if err := os.Chmod(sealed, 0o500); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	open := filepath.Join(t.TempDir(), "open.json")
	nobody := filepath.Join(t.TempDir(), "nobody.json")
	for path, text := range map[string]string{file: "x", open: "{}", nobody: `{"root": "x"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		arguments []string
		sentence  string
	}{
		"port":            {[]string{"--listen", taken.Addr().String()}, "the port is taken"},
		"not loopback":    {[]string{"--listen", "0.0.0.0:0"}, "not a loopback address"},
		"no library":      {[]string{"--library", "/no/such/libchdb.so"}, "load library /no/such/libchdb.so: no such file"},
		"not a library":   {[]string{"--library", file}, "load library"},
		"locked":          {[]string{"--data", locked}, "another process uses it (code 76)"},
		"read-only data":  {[]string{"--data", sealed}, "permission denied"},
		"data is a file":  {[]string{"--data", file}, "not a directory"},
		"users missing":   {[]string{"--users", "/no/such/users"}, "read users"},
		"users open":      {[]string{"--users", open}, "readable by others"},
		"users strange":   {[]string{"--users", nobody}, `only "app" and "analyst" exist`},
		"users no JSON":   {[]string{"--users", file}, "not a JSON object"},
		"too little":      {[]string{"--max-memory", "1000"}, "--max-memory must be at least"},
		"unknown flag":    {[]string{"--frobnicate"}, "frobnicate"},
		"more arguments":  {[]string{"more"}, "unexpected argument"},
		"uid without gid": {[]string{"--gid", "-1", "--uid", "5"}, "go together"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := startProcess(t.TempDir(), dataDirectory(t), test.arguments...)
			if err == nil {
				p.end()
				t.Fatal("it started")
			}
			var exit *exec.ExitError
			if !errors.As(p.err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("exit %v", p.err)
			}
			lines := strings.Split(strings.TrimSpace(p.log.String()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "chserver: ") || !strings.Contains(last, test.sentence) {
				t.Errorf("said %q", p.log)
			}
		})
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
	p := serve(t, dataDirectory(t), "--library", link, "--database", "my base")
	if got := p.must(t, "SELECT currentDatabase(), engine FROM system.databases WHERE name = currentDatabase()"); got != "my base\tAtomic" {
		t.Errorf("got %q", got)
	}
}

func TestBackup(t *testing.T) {
	backups := dataDirectory(t)
	p := serve(t, dataDirectory(t), "--backups", backups)
	p.must(t, "CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n", "INSERT INTO kept SELECT number FROM numbers(10)",
		"BACKUP DATABASE bitacora TO File('"+backups+"/one')", "DROP TABLE kept SYNC", "RESTORE TABLE bitacora.kept FROM File('"+backups+"/one')")
	if got := p.must(t, "SELECT sum(n) FROM kept"); got != "45" {
		t.Errorf("restored %s", got)
	}
}

func TestStopsUnderLoad(t *testing.T) {
	t.Parallel()
	p := serve(t, dataDirectory(t))
	p.must(t, "CREATE TABLE loaded (n UInt64) ENGINE = MergeTree ORDER BY n")
	answers := make(chan error, 10)
	client := func(sql, body string) {
		r, err := http.NewRequest(http.MethodPost, "http://"+p.address+"/?query="+strings.ReplaceAll(sql, " ", "+"), strings.NewReader(body))
		if err != nil {
			answers <- err
			return
		}
		r.SetBasicAuth(userApp, appPassword)
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
	p := serve(t, dataDirectory(t))
	p.must(t, "SELECT 1")
	began := time.Now()
	p.end()
	if p.err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("ended after %v: %v: %s", time.Since(began), p.err, p.log)
	}
}

// A server must not outlive the one that started it and asked for that, even
// though giving up root makes the kernel forget the request.
func TestEndsWithItsParent(t *testing.T) {
	list, err := arguments(t.TempDir(), dataDirectory(t))
	if err != nil {
		t.Fatal(err)
	}
	middle := exec.Command(os.Args[0])
	middle.Env = append(os.Environ(), "CHSERVER_TEST_PARENT="+strings.Join(append([]string{program}, list...), "\n"))
	out, err := middle.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := middle.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var ready string
	if _, err := fmt.Fscan(out, &pid, &ready); err != nil || !strings.Contains(ready, "ready") {
		t.Fatalf("pid %d, %q, %v", pid, ready, err)
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

// parent runs a server that is to end with it, says which, and waits.
func parent(command []string) {
	runtime.LockOSThread()
	server := exec.Command(command[0], command[1:]...)
	server.Stdout, server.Stderr = os.Stdout, os.Stderr
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := server.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.Process.Pid)
	_ = server.Wait()
	os.Exit(1)
}

// What was acknowledged survives kill -9, and nothing is stored by halves.
func TestKilledDuringInserts(t *testing.T) {
	t.Parallel()
	const batchRows = 2000
	data := dataDirectory(t)
	acknowledged := map[uint64]bool{}
	next := uint64(0)
	for range 3 {
		p := serve(t, data)
		p.must(t, "CREATE TABLE IF NOT EXISTS durable (batch UInt64, n UInt64, s String) ENGINE = MergeTree ORDER BY (batch, n)")
		c := dial(t, p, userApp, compressions["lz4"])
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
	p := serve(t, data)
	stored := map[uint64]bool{}
	rows, err := dial(t, p, userApp, nil).Query(t.Context(), "SELECT batch, count(), uniqExact(n) FROM durable GROUP BY batch")
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
