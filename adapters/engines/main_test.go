package engines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// elsewhere stands for the engine that a test does not start.
const elsewhere = "http://unused.example"

// helperVariable turns the test binary into a process that runs one supervisor.
const helperVariable = "ENGINES_TEST_HELPER"

// long leaves a test to "npm run test:long".
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm run test:long runs it")
	}
}

func TestMain(m *testing.M) {
	if text := os.Getenv(helperVariable); text != "" {
		os.Exit(help(text))
	}
	var err error
	if buildDir, err = os.MkdirTemp("", "bitacora-engines-build-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m.Run()
	if err := os.RemoveAll(buildDir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// buildDir holds programs that tests build.
var buildDir string

// report is what the helper process prints: the endpoints and children, or why there are none.
type report struct {
	At       Endpoints
	Children map[string]int
	Err      string
}

// help supervises until its standard input ends.
func help(text string) int {
	var cfg Config
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		return 1
	}
	var r report
	s, err := Start(context.Background(), cfg)
	if err != nil {
		r.Err = err.Error()
	} else {
		r.At = s.Endpoints()
		r.Children = map[string]int{Postgres: pidOf(s, Postgres), ClickHouse: pidOf(s, ClickHouse)}
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil || s == nil {
		return 1
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return 1
	}
	if err := s.Stop(context.Background()); err != nil {
		return 1
	}
	return 0
}

// helper is a running helper process.
type helper struct {
	report
	cmd   *exec.Cmd
	stdin io.Closer
}

// startHelper supervises cfg in another process, run by u when that is given. The process gets a copy of
// the test binary that every user can run.
func startHelper(t *testing.T, cfg Config, u *user) *helper {
	t.Helper()
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(openDir(t), "helper")
	copyFile(t, binary, "/proc/self/exe")
	chmod(t, binary, 0o755)
	h := &helper{cmd: exec.Command(binary)}
	h.cmd.Env = append(os.Environ(), helperVariable+"="+string(text))
	h.cmd.Stderr = os.Stderr
	h.cmd.Dir = "/"
	h.cmd.SysProcAttr = childAttributes(u, 0)
	if h.stdin, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.stdin.Close()
		_ = h.cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("read from helper: %v", err)
	}
	if err := json.Unmarshal(line, &h.report); err != nil {
		t.Fatal(err)
	}
	return h
}

// copyFile keeps other tests from starting a process while the copy is open: that would inherit it, and
// until it runs its own program nobody could run the copy.
func copyFile(t *testing.T, target, source string) {
	t.Helper()
	content, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(target, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// openDir is a temporary directory that every user can enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bitacora-engines-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// postgresConfig runs PostgreSQL only, in a new data directory.
func postgresConfig(t *testing.T) Config {
	t.Helper()
	dir := openDir(t)
	a, err := findAssets(Config{ClickHouseURL: elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		DataDir: filepath.Join(dir, "data"), FallbackDir: filepath.Join(dir, "fallback"),
		ClickHouseURL: elsewhere, PostgresPackage: a.postgres, Superuser: true,
	}
}

// supervise starts a supervisor and stops it when the test ends.
func supervise(t *testing.T, cfg Config) *Supervisor {
	t.Helper()
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask is try, again and again for as long as PostgreSQL is down.
func ask(t *testing.T, url, statements string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		answer, err := try(ctx, url, statements)
		if err == nil {
			return answer
		}
		refused := new(pgconn.PgError)
		if ctx.Err() != nil || errors.As(err, &refused) && strings.HasPrefix(refused.Code, "42") {
			t.Fatalf("%s: %v", statements, err)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// try runs statements and returns the first value of the last one's answer.
func try(ctx context.Context, url, statements string) (string, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	results, err := conn.PgConn().Exec(ctx, statements).ReadAll()
	if err != nil || len(results) == 0 || len(results[len(results)-1].Rows) == 0 {
		return "", err
	}
	return string(results[len(results)-1].Rows[0][0]), nil
}

// eventually waits for something that another process does in its own time.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("did not happen: %s", what)
		}
	}
}

// worksBelow lists the processes whose working directory lies in dir: engines and their own children.
func worksBelow(t *testing.T, dir string) (found []int) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, dir) {
			pid, err := strconv.Atoi(strings.Split(link, "/")[2])
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, pid)
		}
	}
	return found
}

// pidOf is the process id of an engine, 0 when it does not run at the moment.
func pidOf(s *Supervisor, engine string) int {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if m := s.lock.record.Children[engine]; m.alive() {
		return m.PID
	}
	return 0
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if pid == 0 {
		t.Fatal("nothing to kill")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}
