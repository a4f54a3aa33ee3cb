package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strconv"
	"sync"
	"syscall"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/settings"
	"bitacora/cmd/bitacora/setup"
	"bitacora/domain/clinic"
)

// needed are what the queries of this program were written for.
var needed = versions{postgres: 18, clickhouse: 26}

// findInstallation looks for everything that can be examined. What is not there is no error: the
// examinations say so.
func findInstallation(ctx context.Context) *doctor {
	d := &doctor{now: time.Now, needs: needed, self: os.Getpid(), listening: engines.Listening, down: map[string]error{}, clinic: clinic.Default()}
	d.config, d.mistakes = settings.Load(os.Environ())
	if facts, err := app.ReadFacts(d.config.ClinicFile); err != nil {
		d.flaws = err
	} else {
		d.clinic = facts
	}
	d.findEngines(ctx)
	d.askEngines(ctx)
	d.connect(ctx)
	return d
}

// app is what the engines and the builds are opened with. What they would log, the findings say.
func (d *doctor) app() *app.App {
	return &app.App{Config: d.config, Clinic: d.clinic, Log: slog.New(slog.DiscardHandler), Meters: app.NewMeters()}
}

// findEngines finds the addresses of both engines: those that run, or that are started for the look.
// Where one cannot be started, the other is.
func (d *doctor) findEngines(ctx context.Context) {
	a := d.app()
	cfg := a.Engines()
	if d.foreign = ownedByOther(d.config.DataDir); d.foreign != nil && cfg.Embeds() {
		d.at.DatabaseURL, d.at.ClickHouseURL = cfg.DatabaseURL, cfg.ClickHouseURL
		d.holdBack(cfg, d.foreign)
		return
	}
	if h, ok := cfg.Holder(); ok {
		d.holder = &h
	}
	if err := a.Begun(); err != nil {
		d.at.DatabaseURL, d.at.ClickHouseURL = cfg.DatabaseURL, cfg.ClickHouseURL
		d.holdBack(cfg, err)
		return
	}
	// Whoever has the usual address is another examination's.
	cfg.ClickHouseAddr = "127.0.0.1:0"
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	err := d.use(ctx, cfg)
	if missing := new(engines.MissingError); errors.As(err, missing) {
		cfg.WithoutClickHouse = true
		if d.use(ctx, cfg) == nil {
			d.down[engines.ClickHouse] = missing
		}
		return
	}
	if err == nil || d.holder != nil {
		return
	}
	if cfg.ClickHouseURL != "" || cfg.DatabaseURL != "" {
		return
	}
	why := d.down[engines.Postgres]
	const elsewhere = "http://unused.invalid"
	postgresOnly, clickhouseOnly := cfg, cfg
	postgresOnly.ClickHouseURL, clickhouseOnly.DatabaseURL = elsewhere, elsewhere
	switch {
	case d.use(ctx, postgresOnly) == nil:
		d.down[engines.ClickHouse] = why
	case d.use(ctx, clickhouseOnly) == nil:
		d.down[engines.Postgres] = why
	default:
		d.at = engines.Endpoints{}
		d.holdBack(cfg, why)
	}
}

// use takes the engines as other commands do. An error is that of each that is not a server's.
func (d *doctor) use(ctx context.Context, cfg engines.Config) (err error) {
	d.down = map[string]error{}
	if d.at, d.release, err = engines.Use(ctx, cfg); err != nil {
		d.at.DatabaseURL, d.at.ClickHouseURL = cfg.DatabaseURL, cfg.ClickHouseURL
		d.holdBack(cfg, err)
	}
	return err
}

// holdBack notes why no embedded engine can be asked.
func (d *doctor) holdBack(cfg engines.Config, err error) {
	d.down = map[string]error{}
	if cfg.DatabaseURL == "" {
		d.down[engines.Postgres] = err
	}
	if cfg.ClickHouseURL == "" {
		d.down[engines.ClickHouse] = err
	}
}

// ownedByOther says that a data directory belongs to another user, who does not share it with this one.
func ownedByOther(dir string) error {
	me := os.Geteuid()
	info, err := os.Stat(dir)
	if err != nil || me == 0 {
		return nil
	}
	const write = 0o2
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == me || syscall.Access(dir, write) == nil {
		return nil
	}
	name := fmt.Sprint("with the id ", owner.Uid)
	if u, err := user.LookupId(strconv.Itoa(int(owner.Uid))); err == nil {
		name = u.Username
	}
	return otherUser{fmt.Errorf("%s belongs to the user %s", dir, name), name}
}

// otherUser is whose the data directory is.
type otherUser struct {
	error
	name string
}

// askEngines asks both what they are.
func (d *doctor) askEngines(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	before := d.scheduled()
	var asked sync.WaitGroup
	if d.down[engines.Postgres] == nil {
		asked.Go(func() { d.log, d.logErr = postgres.AboutServer(ctx, d.at.DatabaseURL) })
	}
	if d.down[engines.ClickHouse] == nil {
		asked.Go(func() {
			if d.tables, d.serverErr = clickhouse.OpenCluster(d.at.ClickHouseURL, d.config.TablesCluster(), d.clinic.Zone); d.serverErr == nil {
				d.server, d.serverErr = d.tables.About(ctx)
			}
		})
	}
	asked.Wait()
	d.rested = map[string]bool{}
	for engine, times := range d.scheduled() {
		d.rested[engine] = times == before[engine]
	}
}

// scheduled says how often each embedded engine got a processor until now.
func (d *doctor) scheduled() map[string]int64 {
	times := map[string]int64{}
	if d.holder != nil {
		for engine, pid := range d.holder.Engines {
			times[engine] = engines.Scheduled(pid)
		}
	}
	return times
}

// connect opens what the examinations of the log look at. Where that fails, Postgres counts as one
// that does not answer.
func (d *doctor) connect(ctx context.Context) {
	if d.answerOf(engines.Postgres) != nil {
		return
	}
	a := d.app()
	if d.db, d.logErr = postgres.Look(ctx, d.at.DatabaseURL, a.Log); d.logErr != nil {
		return
	}
	if d.log.Schema == "" {
		d.logErr = errors.New("it has no tables yet")
		return
	}
	d.demo = setup.DemoOf(d.db, d.clinic)
	if d.tables != nil {
		a.DB, a.Tables, a.At = d.db, d.tables, d.at
		d.builds = app.OperateBuilds(a, nil)
	}
}
