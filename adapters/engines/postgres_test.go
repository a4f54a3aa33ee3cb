package engines

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// settingsKept are what the rest of the program relies on, whatever the package's own defaults.
var settingsKept = map[string]string{
	"timezone": "UTC", "server_encoding": "UTF8", "fsync": "on", "data_checksums": "on",
	"password_encryption": "scram-sha-256", "listen_addresses": "127.0.0.1",
}

func TestPostgresSettings(t *testing.T) {
	long(t)
	t.Parallel()
	s := supervise(t, postgresConfig(t))
	for name, want := range settingsKept {
		if got := ask(t, s.Endpoints().DatabaseURL, "SHOW "+name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := ask(t, s.Endpoints().DatabaseURL, "SELECT current_database()"); got != Database {
		t.Errorf("database %q, want %q", got, Database)
	}
	if _, err := try(t.Context(), strings.Replace(s.Endpoints().DatabaseURL, "postgres:", "postgres:x", 2), "SELECT 'in'"); err == nil {
		t.Error("a wrong password was accepted")
	}
}

func TestPostgresComesBack(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	s := supervise(t, cfg)
	url := s.Endpoints().DatabaseURL
	ask(t, url, "CREATE TABLE acked (id int)")
	for round := range 3 {
		ask(t, url, fmt.Sprintf("INSERT INTO acked VALUES (%d)", round))
		old := pidOf(s, Postgres)
		kill(t, old)
		if got, want := ask(t, url, "SELECT count(*)::text FROM acked"), fmt.Sprint(round+1); got != want {
			t.Fatalf("after kill %d: %s rows, want %s", round, got, want)
		}
		eventually(t, "a new postmaster", func() bool { pid := pidOf(s, Postgres); return pid != 0 && pid != old })
	}
	select {
	case <-s.Done():
		t.Errorf("given up: %v", s.Err())
	default:
	}
}

func TestStopLeavesNothing(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	var url string
	for round := range 2 {
		s, err := Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		url = s.Endpoints().DatabaseURL
		ask(t, url, "CREATE TABLE IF NOT EXISTS rounds (id int)")
		ask(t, url, "INSERT INTO rounds VALUES (1)")
		if got, want := ask(t, url, "SELECT count(*)::text FROM rounds"), fmt.Sprint(round+1); got != want {
			t.Errorf("start %d: %s rows, want %s", round, got, want)
		}
		begin := time.Now()
		for range 2 {
			if err := s.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("stop took %s", took)
		}
		if left := worksBelow(t, cfg.DataDir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestKilledSupervisor(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	for range 2 {
		h := startHelper(t, cfg, nil)
		if h.Err != "" {
			t.Fatal(h.Err)
		}
		kill(t, h.cmd.Process.Pid)
		_ = h.cmd.Wait()
		eventually(t, "the postmaster follows its killed supervisor", func() bool { return startTime(h.Children[Postgres]) == "" })
	}
	s := supervise(t, cfg)
	if got := ask(t, s.Endpoints().DatabaseURL, "SELECT 'here'"); got != "here" {
		t.Error(got)
	}
}

// TestHungPostgresComesBack kills a postmaster that hangs with all its processes, which cannot follow it: the
// supervisor that runs it, and the next one, end what is left of it.
func TestHungPostgresComesBack(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]bool{"the same supervisor": false, "the next one": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := postgresConfig(t)
			h := startHelper(t, cfg, nil)
			if h.Err != "" {
				t.Fatal(h.Err)
			}
			ask(t, h.At.DatabaseURL, "CREATE TABLE acked AS SELECT 1 AS id")
			hung := worksBelow(t, cfg.DataDir)
			if len(hung) < 4 {
				t.Fatalf("only %v run, the test is void", hung)
			}
			for _, pid := range hung {
				if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			url := h.At.DatabaseURL
			if next {
				kill(t, h.cmd.Process.Pid)
				_ = h.cmd.Wait()
				kill(t, h.Children[Postgres])
				url = supervise(t, cfg).Endpoints().DatabaseURL
			} else {
				kill(t, h.Children[Postgres])
			}
			if got := ask(t, url, "SELECT count(*)::text FROM acked"); got != "1" {
				t.Errorf("%s rows, want 1", got)
			}
			for _, pid := range hung {
				if startTime(pid) != "" {
					t.Errorf("process %d is left of it", pid)
				}
			}
		})
	}
}

func TestStalePIDFile(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	s := supervise(t, cfg)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The id of a living process of the same user that is no postmaster.
	pidFile := filepath.Join(cfg.DataDir, Postgres, "data", "postmaster.pid")
	if err := os.WriteFile(pidFile, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600); err != nil {
		t.Fatal(err)
	}
	supervise(t, cfg)
}

func TestInterruptedInit(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	if err := os.MkdirAll(filepath.Join(cfg.DataDir, Postgres, "data.partial", "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", Postgres} {
		if err := os.Chmod(filepath.Join(cfg.DataDir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, cfg); err == nil {
		t.Error("started within 200 ms, the test is void")
	}
	if left := worksBelow(t, cfg.DataDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	supervise(t, cfg)
}
