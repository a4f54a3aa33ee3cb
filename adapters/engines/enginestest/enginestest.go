// Package enginestest gives tests real databases. The first test of a process that asks for PostgreSQL or
// ClickHouse starts it; each test gets an empty database of its own. The engines run without durability in
// a temporary directory and end with the process, however it ends; Main also removes the directory, and
// what a killed process left is removed by the next one.
package enginestest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines"
)

// elsewhere stands for the engine that a supervisor shall not start.
const elsewhere = "http://unused.example"

var (
	postgres   = shared{cfg: engines.Config{ClickHouseURL: elsewhere}}
	clickhouse = shared{cfg: engines.Config{DatabaseURL: elsewhere, ClickHouseAddr: "127.0.0.1:0", Zone: "America/Panama"}}
	databases  atomic.Int64
)

// Main runs the tests of a package and then ends the engines that they used:
//
//	func TestMain(m *testing.M) { enginestest.Main(m) }
func Main(m *testing.M) {
	m.Run()
	for _, s := range []*shared{&postgres, &clickhouse} {
		if err := s.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "enginestest:", err)
		}
	}
}

// Long leaves a test that needs real faults or real time to "npm run test:long"; "npm test" is -short.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm run test:long runs it")
	}
}

// Postgres returns the URL of a fresh, empty database, which is dropped when the test ends.
func Postgres(t testing.TB) string {
	t.Helper()
	at, err := postgres.start()
	if err != nil {
		t.Fatalf("start PostgreSQL for tests: %v", err)
	}
	return create(t, at.DatabaseURL, "")
}

// PostgresTemplate is a database that one test of the process prepares, and all get copies of.
type PostgresTemplate struct {
	// Prepare fills the database that url names, and closes its connections.
	Prepare func(ctx context.Context, url string) error
	once    sync.Once
	name    string
	err     error
}

// Copy returns the URL of a fresh copy, which is dropped when the test ends.
func (p *PostgresTemplate) Copy(t testing.TB) string {
	t.Helper()
	at, err := postgres.start()
	if err != nil {
		t.Fatalf("start PostgreSQL for tests: %v", err)
	}
	p.once.Do(func() {
		p.name = fmt.Sprintf("prepared%d", databases.Add(1))
		administer(t, at.DatabaseURL, "CREATE DATABASE "+p.name)
		p.err = p.Prepare(context.Background(), within(t, at.DatabaseURL, p.name))
	})
	if p.err != nil {
		t.Fatalf("prepare a database for tests: %v", p.err)
	}
	return create(t, at.DatabaseURL, " TEMPLATE "+p.name)
}

// create makes a database until the test ends.
func create(t testing.TB, server, options string) string {
	t.Helper()
	name := fmt.Sprintf("t%d", databases.Add(1))
	// Files are copied in half the time of pages, and with the catalogue's cache, which the first connection
	// to the copy would make.
	administer(t, server, "CREATE DATABASE "+name+options+" STRATEGY FILE_COPY")
	t.Cleanup(func() { administer(t, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return within(t, server, name)
}

// ClickHouse returns the HTTP address, for clickhouse-go's ParseDSN, of a fresh, empty database, which is
// dropped when the test ends.
func ClickHouse(t testing.TB) string {
	t.Helper()
	at, err := clickhouse.start()
	if err != nil {
		t.Fatalf("start ClickHouse for tests: %v", err)
	}
	name := fmt.Sprintf("t%d", databases.Add(1))
	post(t, at.ClickHouseURL, "CREATE DATABASE "+name+" ENGINE = Atomic")
	t.Cleanup(func() { post(t, at.ClickHouseURL, "DROP DATABASE IF EXISTS "+name+" SYNC") })
	return within(t, at.ClickHouseURL, name)
}

// Supervised are engines of one test, which may kill them.
type Supervised struct {
	*engines.Supervisor
	dataDir string
}

// Supervisor starts both engines for this test alone. They stop when the test ends.
func Supervisor(t testing.TB) Supervised {
	t.Helper()
	dir, err := tempDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, err := chserver()
	if err != nil {
		t.Fatal(err)
	}
	return supervise(t, dir, engines.Config{ChServer: program, ClickHouseAddr: "127.0.0.1:0"})
}

// supervise starts engines below dir until the test ends.
func supervise(t testing.TB, dir string, cfg engines.Config) Supervised {
	t.Helper()
	cfg.DataDir, cfg.FallbackDir, cfg.Superuser = filepath.Join(dir, "data"), filepath.Join(dir, "fallback"), true
	s, err := engines.Start(t.Context(), cfg)
	if err != nil {
		t.Fatalf("start engines for this test: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return Supervised{s, cfg.DataDir}
}

// PID is the process id of an engine, 0 when it does not run at the moment.
func (s Supervised) PID(engine string) int {
	// Where the engines' user cannot enter the data directory, a link leads to their files.
	for _, dir := range []string{s.dataDir, filepath.Join(s.dataDir, "engines")} {
		text, err := os.ReadFile(filepath.Join(dir, "engines.json"))
		if err != nil {
			continue
		}
		var record struct {
			Children map[string]struct{ PID int }
		}
		// It is written while this reads: a torn one names nobody.
		_ = json.Unmarshal(text, &record)
		if pid := record.Children[engine].PID; pid > 0 && syscall.Kill(pid, 0) == nil {
			return pid
		}
	}
	return 0
}

// post sends one statement to ClickHouse and gives its answer.
func post(t testing.TB, address, statement string) string {
	t.Helper()
	said, err := tryPost(address, statement)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func tryPost(address, statement string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.Path = "/"
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return "", fmt.Errorf("%s: %w", statement, err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s %s %w", statement, answer.Status, said, err)
	}
	return string(said), nil
}

// administrator makes and drops the databases of the shared server: another connection costs as much as both.
var administrator struct {
	mu   sync.Mutex
	conn *pgx.Conn
}

func administer(t testing.TB, server, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a := &administrator
	a.mu.Lock()
	defer a.mu.Unlock()
	for range 2 { // a test may end everybody's connections
		if a.conn == nil || a.conn.IsClosed() {
			var err error
			if a.conn, err = pgx.Connect(ctx, server); err != nil {
				t.Fatalf("connect to PostgreSQL for tests: %v", err)
			}
		}
		_, err := a.conn.Exec(ctx, statement)
		if err == nil {
			return
		}
		if !a.conn.IsClosed() {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	t.Fatalf("%s: the connection was lost twice", statement)
}

func execute(t testing.TB, url, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatalf("connect to PostgreSQL for tests: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// within returns the same URL with another database.
func within(t testing.TB, address, database string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("parse %q: %v", address, err)
	}
	u.Path = "/" + database
	return u.String()
}

// shared is an engine that all tests of the process use.
type shared struct {
	cfg  engines.Config
	once sync.Once
	dir  string
	sup  *engines.Supervisor
	err  error
}

func (s *shared) start() (engines.Endpoints, error) {
	s.once.Do(func() {
		if s.dir, s.err = tempDir(); s.err != nil {
			return
		}
		if s.cfg.ClickHouseURL == "" {
			if s.cfg.ChServer, s.err = chserver(); s.err != nil {
				return
			}
		}
		s.cfg.DataDir, s.cfg.FallbackDir, s.cfg.Volatile = filepath.Join(s.dir, "data"), filepath.Join(s.dir, "fallback"), true
		s.cfg.Superuser = true
		s.sup, s.err = engines.Start(context.Background(), s.cfg)
	})
	if s.err != nil {
		return engines.Endpoints{}, s.err
	}
	return s.sup.Endpoints(), nil
}

func (s *shared) stop() error {
	if s.sup != nil {
		if err := s.sup.Stop(context.Background()); err != nil {
			return err
		}
	}
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

const tempPattern = "bitacora-enginestest-"

// tempDir makes a directory that every user can enter, and removes those of killed processes.
func tempDir() (string, error) {
	sweep()
	dir, err := os.MkdirTemp("", tempPattern)
	if err != nil {
		return "", fmt.Errorf("make a directory for test engines: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", fmt.Errorf("open the directory for test engines: %w", err)
	}
	lock, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		return "", fmt.Errorf("lock the directory for test engines: %w", err)
	}
	locks = append(locks, lock)
	return dir, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
}

// locks keeps the directories of this process locked for as long as it lives.
var locks []*os.File

// sweep removes directories whose process is gone. What cannot be removed is left to another time.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPattern+"*"))
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := os.Open(filepath.Join(dir, "lock"))
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		lock.Close()
	}
}
