package engines

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestClosedDirectory starts below a directory that only its owner may enter. Root's engines, which run as
// somebody else, then live in the refuge, everybody else's in place; nobody notices either way.
func TestClosedDirectory(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	closed := filepath.Join(filepath.Dir(cfg.DataDir), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	pack := filepath.Join(closed, "package")
	if err := copyTree(filepath.Join(pack, "native"), filepath.Join(cfg.PostgresPackage, "native")); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(pack, "package.json"), filepath.Join(cfg.PostgresPackage, "package.json"))
	cfg.DataDir, cfg.PostgresPackage = filepath.Join(closed, "data"), pack
	for range 2 {
		s := supervise(t, cfg)
		ask(t, s.Endpoints().DatabaseURL, "CREATE TABLE IF NOT EXISTS proof (id int)")
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(closed); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the closed directory was changed: %v %v", info.Mode(), err)
	}
	link, err := os.Readlink(filepath.Join(cfg.DataDir, "engines"))
	if moved := err == nil; moved != (os.Geteuid() == 0) {
		t.Fatalf("moved to a refuge: %v (%q)", moved, link)
	}
	if os.Geteuid() != 0 {
		return
	}
	if owner := ownerOf(t, filepath.Join(link, Postgres, "data")); owner != nobody {
		t.Errorf("the data belong to %d", owner)
	}
	if err := os.Rename(link, link+".away"); err != nil {
		t.Fatal(err)
	}
	wantError(t, cfg, "which is missing")
	if err := os.Remove(filepath.Join(cfg.DataDir, "engines")); err != nil {
		t.Fatal(err)
	}
	s := supervise(t, cfg)
	if got := ask(t, s.Endpoints().DatabaseURL, "SELECT count(*) FROM pg_tables WHERE tablename = 'proof'"); got != "0" {
		t.Error("a removed link did not begin anew")
	}
}

func TestNothingSecretIsOpen(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	supervise(t, cfg)
	for _, name := range []string{"engines.json", "secrets.json", Postgres + "/postgres.log"} {
		info, err := os.Stat(filepath.Join(cfg.DataDir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if _, err := os.Stat(filepath.Join(cfg.DataDir, Postgres, "password")); !os.IsNotExist(err) {
		t.Errorf("the password file is still there: %v", err)
	}
}

func TestBlocked(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	me := user{uint32(os.Geteuid()), uint32(os.Getegid())}
	stranger := user{me.uid + 4711, me.gid + 4711}
	for name, mode := range map[string]fs.FileMode{"open": 0o755, "through": 0o711, "closed": 0o700} {
		if err := makeDir(filepath.Join(dir, name, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		user   user
		path   string
		want   fs.FileMode
		closed string
	}{
		{"open", stranger, "open/inner", enter, ""},
		{"only through", stranger, "through/inner", read, ""},
		{"only through, to read", stranger, "through", read, "through"},
		{"closed", stranger, "closed/inner", enter, "closed"},
		{"own", me, "closed/inner", enter, ""},
		{"missing", me, "open/none", enter, "open/none"},
	} {
		want := c.closed
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := c.user.blocked(filepath.Join(dir, c.path), c.want); got != want {
			t.Errorf("%s: blocked at %q, want %q", c.name, got, want)
		}
	}
}

func ownerOf(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}
