package engines

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// builtChServer is the child program, built once.
var builtChServer = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "chserver")
	build := exec.Command("go", "build", "-o", path, "bitacora/cmd/chserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build chserver: %w: %s", err, out)
	}
	return path, nil
})

// clickHouseConfig runs ClickHouse only, in a new data directory, on a free port.
func clickHouseConfig(t *testing.T) Config {
	t.Helper()
	cfg := bothConfig(t)
	cfg.DatabaseURL = elsewhere
	return cfg
}

// bothConfig runs both engines.
func bothConfig(t *testing.T) Config {
	t.Helper()
	cfg := postgresConfig(t)
	chserver, err := builtChServer()
	if err != nil {
		t.Fatal(err)
	}
	a, err := findAssets(Config{DatabaseURL: elsewhere, ChServer: chserver})
	if err != nil {
		t.Fatal(err)
	}
	cfg.ClickHouseURL, cfg.ClickHouseAddr = "", "127.0.0.1:0"
	cfg.ChServer, cfg.ChdbLibrary = a.chserver, a.library
	return cfg
}

// query sends a statement to ClickHouse, trying again for as long as it is down.
func query(t *testing.T, address, statement string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		status, said, err := send(ctx, address, statement)
		if err == nil && status == http.StatusOK {
			return said
		}
		if err == nil || ctx.Err() != nil {
			t.Fatalf("%s: %d %s %v", statement, status, said, err)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func send(ctx context.Context, address, statement string) (status int, said string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, "", err
	}
	u.Path, u.RawQuery = "/", "database="+Database
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(statement))
	if err != nil {
		return 0, "", err
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(ask)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, strings.TrimSpace(string(text)), err
}

func TestClickHouseUsers(t *testing.T) {
	t.Parallel()
	s := supervise(t, clickHouseConfig(t))
	at := s.Endpoints()
	query(t, at.ClickHouseURL, "CREATE TABLE seen (id Int32) ORDER BY id")
	if got := query(t, at.ClickHouseURL, "SELECT currentDatabase() || ' ' || timezone()"); got != Database+" UTC" {
		t.Errorf("app sees %q", got)
	}
	analyst, err := url.Parse(at.AnalystURL)
	if err != nil {
		t.Fatal(err)
	}
	analyst.User = url.UserPassword(at.AnalystUser, at.AnalystPassword)
	if got := query(t, analyst.String(), "SELECT count() FROM seen"); got != "0" {
		t.Errorf("analyst sees %q", got)
	}
	for address, statement := range map[string]string{
		analyst.String(): "INSERT INTO seen VALUES (1)",
		at.AnalystURL:    "SELECT 1",
	} {
		if status, said, err := send(t.Context(), address, statement); err != nil || status < 400 {
			t.Errorf("%s as %s: %d %s %v", statement, address, status, said, err)
		}
	}
}

func TestClickHouseComesBack(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := clickHouseConfig(t)
	s := supervise(t, cfg)
	address := s.Endpoints().ClickHouseURL
	query(t, address, "CREATE TABLE acked (id Int32) ORDER BY id")
	for round := range 3 {
		query(t, address, fmt.Sprintf("INSERT INTO acked VALUES (%d)", round))
		old := pidOf(s, ClickHouse)
		kill(t, old)
		if got, want := query(t, address, "SELECT count() FROM acked"), fmt.Sprint(round+1); got != want {
			t.Fatalf("after kill %d: %s rows, want %s", round, got, want)
		}
		eventually(t, "a new chserver", func() bool { pid := pidOf(s, ClickHouse); return pid != 0 && pid != old })
	}
	begin := time.Now()
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("stop took %s", took)
	}
	if left := worksBelow(t, cfg.DataDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestKilledSupervisorOfBoth(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := bothConfig(t)
	h := startHelper(t, cfg, nil)
	if h.Err != "" {
		t.Fatal(h.Err)
	}
	ask(t, h.At.DatabaseURL, "CREATE TABLE proof (id int)")
	query(t, h.At.ClickHouseURL, "CREATE TABLE proof (id Int32) ORDER BY id")
	kill(t, h.cmd.Process.Pid)
	_ = h.cmd.Wait()
	// No waiting for the children here: the next supervisor has to cope with whatever is left of them.
	s := supervise(t, cfg)
	ask(t, s.Endpoints().DatabaseURL, "SELECT count(*) FROM proof")
	query(t, s.Endpoints().ClickHouseURL, "SELECT count() FROM proof")
	for name, pid := range h.Children {
		if startTime(pid) != "" {
			t.Errorf("%s of the killed supervisor still runs", name)
		}
	}
}

func TestLeftoverIsEnded(t *testing.T) {
	t.Parallel()
	cfg := clickHouseConfig(t)
	supervise(t, cfg).Stop(t.Context())
	orphan := exec.Command("/bin/sleep", "600")
	p, err := spawn(orphan)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockHome(home{dir: cfg.DataDir})
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.addChild(ClickHouse, orphan.Process.Pid); err != nil {
		t.Fatal(err)
	}
	// As after a kill: the record stays, the lock is gone.
	if err := lock.file.Close(); err != nil {
		t.Fatal(err)
	}
	supervise(t, cfg)
	if !p.over() {
		t.Error("the orphan still runs")
	}
}

func TestClickHouseAddressTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := bothConfig(t)
	cfg.ClickHouseAddr = l.Addr().String()
	wantError(t, cfg, "another program listens on "+l.Addr().String())
	if left := worksBelow(t, cfg.DataDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	cfg.ClickHouseAddr, cfg.ChdbLibrary = "127.0.0.1:0", filepath.Join(openDir(t), "libchdb.so")
	write(t, cfg.ChdbLibrary, "no library")
	wantError(t, cfg, "ClickHouse cannot start: load library: ")
}

func TestClickHouseBelowClosedDirectory(t *testing.T) {
	t.Parallel()
	cfg := clickHouseConfig(t)
	closed := filepath.Join(filepath.Dir(cfg.DataDir), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.DataDir = filepath.Join(closed, "data")
	s := supervise(t, cfg)
	if got := query(t, s.Endpoints().ClickHouseURL, "SELECT 1"); got != "1" {
		t.Error(got)
	}
	if pid := pidOf(s, ClickHouse); os.Geteuid() == 0 && ownerOf(t, fmt.Sprintf("/proc/%d", pid)) != nobody {
		t.Error("chserver still runs as root")
	}
}

func TestAnalystNeedsConfinementOrAsking(t *testing.T) {
	for _, c := range []struct{ confined, asked, may bool }{
		{true, false, true}, {true, true, true}, {false, true, true}, {false, false, false},
	} {
		if got := analystMayAsk(c.confined, c.asked); got != c.may {
			t.Errorf("confined %v, asked %v: %v", c.confined, c.asked, got)
		}
	}
}

// TestPasswordsLieInNoFileOfClickHouse: neither this version writes them there, nor is what an
// earlier one wrote kept.
func TestPasswordsLieInNoFileOfClickHouse(t *testing.T) {
	t.Parallel()
	cfg := clickHouseConfig(t)
	s := supervise(t, cfg)
	old := filepath.Join(s.home.path(ClickHouse), "users.json")
	if err := os.WriteFile(old, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Stop(t.Context())
	s = supervise(t, cfg)
	at := s.Endpoints()
	err := filepath.WalkDir(s.home.path(ClickHouse), func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), at.AnalystPassword) {
			t.Errorf("%s holds the analyst's password", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old users file is kept")
	}
}

// TestChserverIsRecordedBeforeItHides: within the systemd unit nobody sees of a process that hides when it
// started, and without that nobody knows later whether it is the same. It hides once it has its passwords.
func TestChserverIsRecordedBeforeItHides(t *testing.T) {
	c := &clickhouse{home: home{dir: openDir(t)}, assets: assets{chserver: "chserver"}, passwords: map[string]string{"app": "secret"}}
	cmd, err := c.command(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.input.(io.Closer).Close(); err != nil {
		t.Fatal(err)
	}
	if waits, err := io.ReadAll(cmd.Stdin); err != nil || len(waits) > 0 {
		t.Errorf("%d bytes wait for it before it is started, %v", len(waits), err)
	}
}
