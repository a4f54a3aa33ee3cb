package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOnlyDamageIsSetAside: what the engine printed of each damage, and what is made of it.
func TestOnlyDamageIsSetAside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, output string
		dir          dirState
		want         Cause
	}{
		{"definition of a table", "Code: 62. DB::Exception: Syntax error (in file store/c32/c32/t.sql): failed at position 1 (garbage): garbage\n. Expected one of: CREATE: Cannot parse definition from metadata file store/c32/c32/t.sql. (SYNTAX_ERROR)\nchserver: the engine ended", dirState{}, Damaged},
		{"definition of a database", "Code: 62. DB::Exception: Syntax error (in file metadata/bitacora_b1.sql): failed at position 1 (garbage): garbage\n: while loading database `bitacora_b1` from file metadata/bitacora_b1.sql. (SYNTAX_ERROR)", dirState{}, Damaged},
		{"empty definition", "Code: 62. DB::Exception: Empty query: Cannot parse definition from metadata file store/c32/c32/t.sql. (SYNTAX_ERROR)", dirState{}, Damaged},
		{"another version's data", "Code: 722. DB::Exception: Waited job failed: Code: 56. DB::Exception: Unknown table engine QuantumTree: Cannot attach table `bitacora_b1`.`t` from metadata file store/c32/c32/t.sql from query ATTACH TABLE. (UNKNOWN_STORAGE),. (ASYNC_LOAD_WAIT_FAILED)", dirState{}, Damaged},
		{"a file in place of a directory", "chserver: prepare data directory: mkdir /d/clickhouse/data/engine: not a directory", dirState{}, Damaged},
		{"a file in place of all", "", dirState{notDirectory: true}, Damaged},
		{"directory closed", "chserver: prepare data directory: write to /d/engine: permission denied", dirState{}, Forbidden},
		{"definition closed", "Code: 76. DB::ErrnoException: Cannot open file /d/engine/store/c32/c32/t.sql: , errno: 13, strerror: Permission denied: Cannot parse definition from metadata file store/c32/c32/t.sql. (CANNOT_OPEN_FILE)", dirState{}, Forbidden},
		{"directory closed, nothing said", "", dirState{closed: true}, Forbidden},
		{"disk full", "Code: 243. DB::Exception: Cannot write to file store/c32/c32/t.sql: No space left on device: Cannot parse definition from metadata file store/c32/c32/t.sql. (NOT_ENOUGH_SPACE)", dirState{}, DiskFull},
		{"locked", "chserver: prepare data directory: /d/engine: another process uses it", dirState{}, Locked},
		{"port taken", "chserver: serve ClickHouse: listen tcp 127.0.0.1:8123: bind: address already in use", dirState{}, Address},
		{"not on this machine", "chserver: --listen 192.0.2.1:8123 is not a loopback address with a port", dirState{}, Address},
		{"killed", "", dirState{}, Starting},
		{"directory gone", "", dirState{missing: true}, Starting},
		{"a question that fails", "Code: 62. DB::Exception: Syntax error: failed at position 8: SELECT FROM. (SYNTAX_ERROR)", dirState{}, Starting},
	} {
		if got := classify(c.output, c.dir); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSetAsideIsBounded: once an hour, and two are kept.
func TestSetAsideIsBounded(t *testing.T) {
	t.Parallel()
	h, now := home{dir: openDir(t)}, time.Date(2026, 11, 25, 21, 0, 0, 0, time.UTC)
	for range 4 {
		if !h.mayBeSetAside(now) {
			t.Fatalf("nothing may be set aside at %v beside %v", now, h.setAside())
		}
		write(t, h.path(ClickHouse, "data", "file"), now.String())
		if _, err := h.putAside(now); err != nil {
			t.Fatal(err)
		}
		if soon := now.Add(59 * time.Minute); h.mayBeSetAside(soon) {
			t.Errorf("it may be set aside again at %v", soon)
		}
		now = now.Add(time.Hour)
	}
	if err := (Config{DataDir: h.dir}).EmptySetAside(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, dir := range h.setAside() {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("%s still holds %v, %v", dir, entries, err)
		}
		names = append(names, filepath.Base(dir))
	}
	if got := strings.Join(names, " "); got != "clickhouse.damaged-20261125T230000Z clickhouse.damaged-20261126T000000Z" {
		t.Errorf("kept: %s", got)
	}
}

// TestClickHouseIsBroughtBack damages the directory of one supervisor in every way in turn, and finds an
// engine that answers after each.
func TestClickHouseIsBroughtBack(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := clickHouseConfig(t)
	cfg.ClickHouseLater = true
	s := supervise(t, cfg)
	address, dir := s.Endpoints().ClickHouseURL, s.home.path(ClickHouse)
	query(t, address, "CREATE TABLE kept (id Int32) ORDER BY id")
	engine := filepath.Join(dir, "data", "engine")
	for _, c := range []struct {
		name   string
		damage func()
		// keeps says that the table is still there afterwards, aside that the directory was set aside.
		keeps, aside bool
	}{
		{"killed", func() {}, true, false},
		{"mode", func() { chmod(t, engine, 0) }, true, false},
		{"owner", func() {
			if os.Geteuid() == 0 {
				chown(t, dir, 0)
			}
		}, true, false},
		{"gone", func() { remove(t, dir) }, false, false},
		{"definition", func() { write(t, filepath.Join(engine, "metadata", "broken.sql"), "garbage") }, false, true},
		{"a file in its place", func() {
			remove(t, s.home.setAside()[0]) // or it was set aside a moment ago
			remove(t, dir)
			write(t, dir, "a file")
		}, false, true},
	} {
		query(t, address, "CREATE TABLE IF NOT EXISTS kept (id Int32) ORDER BY id")
		aside, old := len(s.home.setAside()), pidOf(s, ClickHouse)
		c.damage()
		if c.name == "a file in its place" {
			aside = 0
		}
		kill(t, old)
		eventually(t, c.name+": another engine", func() bool {
			pid := pidOf(s, ClickHouse)
			return pid != 0 && pid != old && s.Absence() == nil
		})
		if got := query(t, address, "EXISTS TABLE kept"); (got == "1") != c.keeps {
			t.Errorf("%s: the table of before exists: %s", c.name, got)
		}
		if got := len(s.home.setAside()) > aside; got != c.aside {
			t.Errorf("%s: set aside: %v", c.name, s.home.setAside())
		}
		if u := s.home.user; u != nil && ownerOf(t, filepath.Join(dir, "data")) != int(u.uid) {
			t.Errorf("%s: the data belong to another user", c.name)
		}
	}
	write(t, filepath.Join(engine, "metadata", "broken.sql"), "garbage")
	kill(t, pidOf(s, ClickHouse))
	eventually(t, "a second damage within the hour is named", func() bool {
		a := s.Absence()
		return a != nil && a.Cause == Damaged && strings.Contains(a.Reason, "less than an hour ago")
	})
	if _, err := cfg.RequestReset(); err != nil {
		t.Fatal(err)
	}
	if got := query(t, address, "SELECT 1"); got != "1" {
		t.Error(got)
	}
	if len(s.home.setAside()) != 2 {
		t.Errorf("after the reset: %v", s.home.setAside())
	}
}

// TestStartsWithoutClickHouse: whatever keeps ClickHouse from starting, Start returns and says so, and
// ClickHouse comes by itself when that is over.
func TestStartsWithoutClickHouse(t *testing.T) {
	t.Parallel()
	cfg := clickHouseConfig(t)
	cfg.ClickHouseLater = true
	library := cfg.ChdbLibrary
	cfg.ChdbLibrary = filepath.Join(openDir(t), "libchdb.so")
	s := supervise(t, cfg)
	eventually(t, "the reason is known", func() bool {
		a := s.Absence()
		return a != nil && strings.Contains(a.Reason, cfg.ChdbLibrary)
	})
	if err := os.Symlink(library, cfg.ChdbLibrary); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it runs", func() bool { return s.Absence() == nil })
	if got := query(t, s.Endpoints().ClickHouseURL, "SELECT 1"); got != "1" {
		t.Error(got)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func chown(t *testing.T, dir string, uid int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, uid, uid)
		}
		return err
	})
	if err != nil {
		t.Fatal(fmt.Errorf("chown %s: %w", dir, err))
	}
}
