package engines

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/confine"
)

// Supervisor keeps the embedded engines running until Stop.
type Supervisor struct {
	endpoints Endpoints
	home      home
	lock      *homeLock
	children  []*child
	gaveUp    chan struct{}
	mu        sync.Mutex
	err       error
	absence   *Absence
	// runs counts how often ClickHouse was started.
	runs     int
	stopping sync.Once
}

// Start starts the engines that cfg names no server for and returns when they answer. The context bounds
// the starting only; the engines live until Stop, or as long as the process.
func Start(ctx context.Context, cfg Config) (*Supervisor, error) {
	cfg = cfg.withDefaults()
	s := &Supervisor{endpoints: Endpoints{ClickHouseURL: cfg.ClickHouseURL}, gaveUp: make(chan struct{})}
	s.endpoints.DatabaseURL, s.endpoints.MigrationURL = cfg.server()
	if !cfg.Embeds() {
		return s, nil
	}
	if err := s.start(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (s *Supervisor) start(ctx context.Context, cfg Config) error {
	var err error
	if s.home, err = openHome(cfg); err != nil {
		return err
	}
	if s.lock, err = lockHome(s.home); err != nil {
		return err
	}
	found, err := findAssets(cfg)
	if err != nil && cfg.later() {
		postgresOnly := cfg
		postgresOnly.ClickHouseURL = elsewhereURL
		found, err = findAssets(postgresOnly)
	}
	if err != nil {
		return err
	}
	if err := s.home.checkRoom(cfg.MinFree); err != nil && (cfg.embedsPostgres() || !cfg.later()) {
		return err
	}
	if err := endLeftovers(ctx, s.lock.record.Children, cfg.Log); err != nil {
		return err
	}
	keys, err := loadSecrets(s.home)
	if err != nil {
		return err
	}
	starts, ctx := errgroup.WithContext(ctx)
	if cfg.embedsPostgres() {
		pg := newPostgres(cfg, s.home, found.postgres, keys)
		c := s.addChild(Postgres, pg, cfg.Log, "postgres.log")
		starts.Go(func() error { return s.startPostgres(ctx, pg, c) })
	}
	if cfg.embedsClickHouse() {
		ch := newClickHouse(cfg, s.home, found, keys)
		c := s.addChild(ClickHouse, ch, cfg.Log, outputName)
		if err := ch.chooseAddress(); err != nil {
			return err
		}
		if cfg.later() {
			s.keepClickHouse(ch, c)
		} else {
			starts.Go(func() error { return s.startClickHouse(ctx, ch, c) })
		}
	}
	if starts.Wait() != nil {
		return context.Cause(ctx)
	}
	return s.lock.publish(s.endpoints.embedded(), cfg.WithoutClickHouse)
}

func (s *Supervisor) startPostgres(ctx context.Context, pg *postgres, c *child) error {
	if err := pg.prepare(ctx); err != nil {
		return err
	}
	if err := c.start(ctx); err != nil {
		return err
	}
	s.endpoints.EmbeddedPostgres = true
	if err := pg.createDatabase(ctx); err != nil {
		return err
	}
	if pg.superuser {
		s.endpoints.DatabaseURL = pg.url(superuser, Database)
		s.endpoints.MigrationURL = s.endpoints.DatabaseURL
		return nil
	}
	s.endpoints.DatabaseURL, s.endpoints.MigrationURL = pg.url(worker, Database), pg.url(owner, Database)
	s.endpoints.ReplicationURL = pg.url(replicator, Database)
	return pg.admit(ctx)
}

func (s *Supervisor) startClickHouse(ctx context.Context, ch *clickhouse, c *child) error {
	if err := c.start(ctx); err != nil {
		return ch.explain(err, c.output.tail())
	}
	s.publishClickHouse(ch, c)
	return nil
}

// keepClickHouse starts ClickHouse in the background and keeps it up. It is never given up: without it
// visitors are served.
func (s *Supervisor) keepClickHouse(ch *clickhouse, c *child) {
	s.publishClickHouse(ch, c)
	s.miss(Absence{Cause: Starting, Reason: "ClickHouse is starting"}, c.log)
	c.lost = func(err error, output string) { s.miss(ch.mend(err, output), c.log) }
	c.found = func() {
		s.mu.Lock()
		s.absence = nil
		s.runs++
		s.mu.Unlock()
		if err := s.lock.miss(nil); err != nil {
			c.log.Warn("cannot record that ClickHouse runs", "error", err)
		}
	}
	c.answers = ch.usable
	c.begin(nil)
}

// miss notes why ClickHouse does not run. Since when stays what it was.
func (s *Supervisor) miss(a Absence, log *slog.Logger) {
	s.mu.Lock()
	if a.Since = time.Now(); s.absence != nil {
		a.Since = s.absence.Since
	}
	s.absence = &a
	s.mu.Unlock()
	if err := s.lock.miss(&a); err != nil {
		log.Warn("cannot record that ClickHouse does not run", "error", err)
	}
}

// Absence says why the embedded ClickHouse does not run; nil where it does, or there is none.
func (s *Supervisor) Absence() *Absence {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.absence
}

// Runs counts how often the embedded ClickHouse was started.
func (s *Supervisor) Runs() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs
}

// publishClickHouse makes its addresses known.
func (s *Supervisor) publishClickHouse(ch *clickhouse, c *child) {
	if !confine.Possible() {
		c.log.Warn(confine.Missing)
	}
	s.endpoints.EmbeddedClickHouse = true
	s.endpoints.ClickHouseURL = ch.url().String()
	if password, ok := ch.passwords[access.Analyst]; ok {
		s.endpoints.AnalystURL = "http://" + ch.addr
		s.endpoints.AnalystUser, s.endpoints.AnalystPassword = access.Analyst, password
	}
}

func (s *Supervisor) addChild(name string, e engine, log *slog.Logger, logFile string) *child {
	c := newChild(name, e, log.With("engine", name), s.home.path(name, logFile))
	c.spawned = func(pid int) error { return s.lock.addChild(name, pid) }
	c.failed = s.giveUp
	s.children = append(s.children, c)
	return c
}

func (s *Supervisor) giveUp(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
		close(s.gaveUp)
	}
}

// Endpoints are those of the databases; they do not change while the supervisor lives.
func (s *Supervisor) Endpoints() Endpoints { return s.endpoints }

// Done is closed when an engine has failed too often and is not started any more. Err then says why.
func (s *Supervisor) Done() <-chan struct{} { return s.gaveUp }

// Err is nil until Done is closed.
func (s *Supervisor) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Stop ends the engines and unlocks the data directory. It takes less than 10 s, whatever the
// engines do; a context that ends earlier makes it kill them. Repeated calls do nothing.
func (s *Supervisor) Stop(ctx context.Context) error {
	var err error
	s.stopping.Do(func() {
		var wg sync.WaitGroup
		for _, c := range s.children {
			wg.Go(func() { c.stop(ctx) })
		}
		wg.Wait()
		if s.lock != nil {
			err = s.lock.unlock()
		}
	})
	return err
}
