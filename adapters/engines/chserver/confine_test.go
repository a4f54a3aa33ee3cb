package chserver

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
)

// plant writes what an attack is after beside a server's data, for everybody to read: what
// keeps the engine away is nothing but its confinement.
func plant(t *testing.T, dir string) (paths []string) {
	t.Helper()
	for parent := dir; parent != filepath.Clean(os.TempDir()) && parent != "/"; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"master.key", "clickhouse/users.json", "engines.json", "secrets.json", "postgres/data/pg_hba.conf"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(marker), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestEngineReadsOnlyItsOwnFiles(t *testing.T) {
	requireLandlock(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "clickhouse", "data")
	if err := makeDataDirectory(data); err != nil {
		t.Fatal(err)
	}
	p := serveData(t, data)
	files := plant(t, dir)
	link := filepath.Join(data, "home", "link")
	if err := os.Symlink(files[0], link); err != nil {
		t.Fatal(err)
	}
	pid := neighbour(t, files[0])
	targets := append(files, link, "link", "/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/self/root/etc/passwd",
		"/proc/self/cwd/../../../master.key", "/proc/self/root"+files[0])
	for _, of := range []int{pid, os.Getpid(), os.Getppid()} {
		for _, entry := range []string{"environ", "fd/0", "fd/3", "root" + files[0], "cwd/master.key", "mem", "maps", "auxv"} {
			targets = append(targets, fmt.Sprintf("/proc/%d/%s", of, entry))
		}
	}
	for _, path := range files {
		relative, err := filepath.Rel(filepath.Join(data, "home"), path)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, relative)
	}
	// As app, whom no list of names keeps from asking.
	for _, path := range targets {
		for _, sql := range []string{"SELECT file('PATH')", "SELECT * FROM file('PATH', RawBLOB, 's String')"} {
			a := p.post(t, access.App, strings.ReplaceAll(sql, "PATH", path))
			if a.status == http.StatusOK || strings.Contains(a.body, marker) || strings.Contains(a.body, "root:x:") {
				t.Errorf("%s of %s: %d %.200s", sql, path, a.status, a.body)
			}
		}
	}
	for _, glob := range []string{dir + "/*", dir + "/*/*/*", "/etc/pass*", "/proc/*/environ", "/proc/*/fd/*"} {
		a := p.post(t, access.App, "SELECT * FROM file('"+glob+"', RawBLOB, 's String')")
		if strings.Contains(a.body, marker) || strings.Contains(a.body, "root:x:") {
			t.Errorf("%s: %d %.200s", glob, a.status, a.body)
		}
	}
	// In the ways that got past the lists of names.
	for _, sql := range []string{
		"SELECT arrayMap(file, ['PATH'])",
		"SELECT `fi\\x6ce`('PATH')",
		"SELECT arrayMax(file, ['PATH'])",
		"SELECT arrayMap(`fi\\x6ce`, ['PATH'])",
		"SELECT * FROM (SELECT * FROM numbers(1) SETTINGS additional_table_filters = {'numbers': 'file(''PATH'') != '''''})",
		"SELECT * FROM (SELECT * FROM system.one SETTINGS additional_table_filters = {'system.one': 'throwIf(1, file(''PATH''))'})",
	} {
		for _, path := range []string{"/etc/passwd", files[0], files[1], files[2], "../../../master.key", "/proc/self/environ", fmt.Sprintf("/proc/%d/environ", pid)} {
			a := p.post(t, access.Analyst, strings.ReplaceAll(sql, "PATH", path))
			if strings.Contains(a.body, marker) || strings.Contains(a.body, "root:x:") || strings.Contains(a.body, "PATH=") {
				t.Errorf("%s of %s: %d %.200s", sql, path, a.status, a.body)
			}
		}
	}
	// What it holds open it can read through /proc/self/fd.
	held, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.command.Process.Pid))
	if err != nil || len(held) < 5 {
		t.Fatalf("%d descriptors, %v", len(held), err)
	}
	library, err := libraryFile()
	if err != nil {
		t.Fatal(err)
	}
	own := []string{data, os.DevNull, "/sys/", program, library}
	proc := regexp.MustCompile(fmt.Sprintf(`^/proc/(%d/|[a-z])`, p.command.Process.Pid))
	for _, fd := range held {
		to, err := os.Readlink(fd)
		if err == nil && filepath.IsAbs(to) && !proc.MatchString(to) && !slices.ContainsFunc(own, func(of string) bool { return strings.HasPrefix(to, of) }) {
			t.Errorf("the engine holds %s open", to)
		}
	}
	outside := filepath.Join(dir, "written")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	p.post(t, access.App, "INSERT INTO FUNCTION file('"+outside+"/x.csv', CSV, 'n Int8') VALUES (1)")
	p.post(t, access.App, "SELECT 1 INTO OUTFILE '"+outside+"/x.csv'")
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}

// Through /proc/self/fd a question could read the passwords' hashes and the front's secret, or
// wait at a pipe for ever.
func TestOpenFilesTellNothing(t *testing.T) {
	for range 3 {
		shared.must(t, "SELECT uniqExact(number) FROM numbers_mt(1000000)")
	}
	directory := fmt.Sprintf("/proc/%d/fd", shared.command.Process.Pid)
	held, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	pipes := 0
	for _, entry := range held {
		to, err := os.Readlink(filepath.Join(directory, entry.Name()))
		if err != nil || strings.HasSuffix(to, ".so") || to == program {
			continue
		}
		var info unix.Stat_t
		if err := unix.Stat(filepath.Join(directory, entry.Name()), &info); err == nil && os.Getuid() == 0 &&
			info.Mode&unix.S_IFMT == unix.S_IFIFO && info.Uid == nobody && info.Mode&0o777 != 0 {
			t.Errorf("%s can be opened", to)
			continue // which would wait for ever
		}
		a := shared.request(t, http.MethodGet, access.App, nil, nil, "query", "SELECT file('/proc/self/fd/"+entry.Name()+"')")
		if strings.Contains(to, "memfd") || strings.Contains(a.body, secretHeader) || strings.Contains(a.body, "password") {
			t.Errorf("%s: %d %.200s", to, a.status, a.body)
		}
		if strings.HasPrefix(to, "pipe:") {
			pipes++
			if a.status == http.StatusOK {
				t.Errorf("%s can be read", to)
			}
		}
	}
	if pipes < 4 {
		t.Errorf("only %d pipes among %v", pipes, held)
	}
}

// Whom the kernel keeps from connecting cannot be let by any statement.
func TestEngineReachesNoOtherServer(t *testing.T) {
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 4 {
		t.Skip("this kernel's Landlock knows no ports")
	}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var reached atomic.Int64
	go func() {
		for {
			connection, err := other.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			connection.Close()
		}
	}()
	for _, sql := range []string{
		"SELECT * FROM url('http://ADDRESS/', LineAsString)",
		"INSERT INTO FUNCTION url('http://ADDRESS/', LineAsString, 's String') VALUES ('x')",
		"SELECT * FROM remote('ADDRESS', system.one)",
		"SELECT * FROM postgresql('ADDRESS', 'a', 'b', 'c', 'd')",
		"SELECT * FROM mysql('ADDRESS', 'a', 'b', 'c', 'd')",
		"SELECT * FROM s3('http://ADDRESS/bucket/key', NOSIGN, LineAsString)",
		"SELECT * FROM redis('ADDRESS', 'key', 'key String, value String')",
		"SELECT hasColumnInTable('ADDRESS', 'default', '', 'a', 'b', 'c')",
	} {
		sql = strings.ReplaceAll(sql, "ADDRESS", other.Addr().String())
		a := shared.post(t, access.App, sql, "connect_timeout", "1", "connect_timeout_with_failover_ms", "500", "connections_with_failover_max_tries", "1",
			"http_max_tries", "1", "s3_max_connections", "1", "s3_retry_attempts", "0", "postgresql_connection_pool_retries", "1", "max_execution_time", "3")
		if a.status == http.StatusOK || a.code() == "62" || a.code() == "36" || a.code() == "115" {
			t.Errorf("%s: %d %.300s", sql, a.status, a.body)
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("reached the other server %d times", n)
	}
	// Its own port it may reach, and is nobody there.
	a := shared.post(t, access.App, "SELECT * FROM url('http://"+engineAddress(t, shared)+"/?"+strings.ReplaceAll(whoAsks, "'", "%27")+"', LineAsString)", "http_max_tries", "1")
	if a.status == http.StatusOK || strings.Contains(a.body, "asked by default\n") || !strings.Contains(a.body, "404") {
		t.Errorf("the engine's port: %d %.300s", a.status, a.body)
	}
}
