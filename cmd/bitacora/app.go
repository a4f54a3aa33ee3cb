package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
	_ "time/tzdata" // the business zone must be known on a machine without zone files

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/domain/clinic"
)

// app is what a command works with: the settings, the engines, the log, and the tables with what
// operates their builds.
type app struct {
	config  config
	clinic  clinic.Clinic
	log     *slog.Logger
	at      engines.Endpoints
	db      *postgres.DB
	tables  *clickhouse.DB
	meters  *meters
	builds  *buildOperators
	demo    *demoMode
	release func() error
	// logAlone leaves ClickHouse out: tables and builds are nil then.
	logAlone bool
	// hasBegun says that a log without keys is not given its first one.
	hasBegun bool
	// restored says that the log came out of a backup, which needs none before it is migrated.
	restored bool
	// patience is how long a command waits for ClickHouse; 0: as long as it takes.
	patience time.Duration
}

// tablesPatience is how long a command that needs ClickHouse waits for one that is away or hangs, before it
// fails with nothing done. Within it serve restarts an embedded one that hangs.
var tablesPatience = time.Minute

// openApp finds or starts the databases of a clinic that has begun, and brings the log's to the
// shape that this program knows. The command's context ends with a process whose engines it found.
func openApp(c *cobra.Command) (*app, error) {
	a, err := configureFor(c)
	if err != nil {
		return nil, err
	}
	if err := a.begun(); err != nil {
		return nil, err
	}
	a.hasBegun = true
	if a.at, a.release, err = engines.Use(c.Context(), a.engines()); err != nil {
		return nil, err
	}
	c.SetContext(a.engines().Watch(c.Context()))
	if err := a.connect(c.Context()); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

// begun refuses a data directory that nobody began: whoever calls a command in the wrong folder is
// not to find a new, empty clinic there.
func (a *app) begun() error {
	if e := a.engines(); !e.Embeds() || e.Begun() {
		return nil
	}
	dir, err := filepath.Abs(a.config.DataDir)
	if err != nil {
		return fmt.Errorf("find the data directory: %w", err)
	}
	return misuse{fmt.Errorf("%s is no data directory of a clinic: run this where the clinic's is, or name it in BITACORA_DATA_DIR; bitacora serve begins a new one", dir)}
}

// open finds or starts the databases that are configured, in a data directory that is made where
// there is none.
func (a *app) open(ctx context.Context) (err error) {
	a.at, a.release, err = engines.Use(ctx, a.engines())
	if err != nil {
		return err
	}
	if err := a.connect(ctx); err != nil {
		return errors.Join(err, a.close())
	}
	return nil
}

// configureFor reads what is configured, for what a command needs.
func configureFor(c *cobra.Command) (*app, error) {
	a, err := configure()
	if err == nil {
		a.logAlone = c.Annotations[needs] == needsLog
	}
	return a, err
}

// configure reads what is configured, without touching a database.
func configure() (*app, error) { return configureWith(os.Environ()) }

func configureWith(environ []string) (*app, error) {
	c, err := loadConfig(environ)
	if err != nil {
		return nil, misuse{fmt.Errorf("configuration:\n%w", err)}
	}
	facts, err := readFacts(c.ClinicFile)
	if err != nil {
		return nil, misuse{fmt.Errorf("BITACORA_CLINIC_FILE %s:\n%w", c.ClinicFile, err)}
	}
	logger := newLogger(os.Stderr, c)
	slog.SetDefault(logger)
	return &app{config: c, clinic: facts, log: logger, meters: newMeters(), patience: tablesPatience}, nil
}

func (a *app) engines() engines.Config {
	return engines.Config{
		DataDir:        a.config.DataDir,
		DatabaseURL:    withPassword(a.config.DatabaseURL, a.config.DatabasePassword),
		MigrationURL:   a.config.MigrationURL,
		ClickHouseURL:  withPassword(a.config.ClickHouseURL, a.config.TablesPassword),
		ClickHouseAddr: a.config.ClickHouseAddr,
		Log:            a.log,

		WithoutClickHouse: a.logAlone,
		UnconfinedAnalyst: bool(a.config.AnalystAnyway),
	}
}

// connect opens both databases. ClickHouse may still be away: whoever needs it waits for it, or
// says that it is missing.
func (a *app) connect(ctx context.Context) (err error) {
	saved, err := migrateLog(ctx, a)
	if err != nil {
		return err
	}
	keys := a.config.keys()
	keys.Begun = a.hasBegun
	if a.db, err = postgres.Open(ctx, a.at.DatabaseURL, keys, a.log); err != nil {
		return fmt.Errorf("%w (keys directory %s)", withKeysOfToday(err), keys.Dir)
	}
	if a.config.ReplicaURL != "" {
		if err := a.db.UseReplica(ctx, a.config.replicaURL()); err != nil {
			return err
		}
	}
	logdump.KeepBundle(a.db, a.config.keyBundle())
	if saved { // the backup's keys
		if _, err := logdump.WriteBundle(ctx, a.db, a.config.keyBundle()); err != nil {
			return err
		}
	}
	destroyed, err := a.db.KeepLedger(ctx, a.config.ledger())
	if err != nil {
		return withKeysOfToday(err)
	}
	a.warnDestroyed(destroyed)
	a.demo = &demoMode{log: a.db.Log(), staff: a.db.Staff(), clinic: a.clinic}
	if a.logAlone {
		return nil
	}
	if a.tables, err = clickhouse.OpenCluster(a.at.ClickHouseURL, a.config.cluster(), a.clinic.Zone); err != nil {
		return err
	}
	var published func(context.Context)
	if a.at.EmbeddedClickHouse {
		a.tables.RememberDamage()
	} else {
		published = analystsRenewer(a.tables, a.config.AnalystPassword, a.log)
	}
	a.builds = operateBuilds(a, published)
	return nil
}

// warnDestroyed tells of keys that were there although their people were erased.
func (a *app) warnDestroyed(keys int64) {
	if keys > 0 {
		a.log.Warn("the log had keys of people who were erased, as an older copy of it has: they were destroyed again", "keys", keys)
	}
}

// withKeysOfToday says what to do about a log that is older than its keys.
func withKeysOfToday(err error) error {
	if errors.Is(err, postgres.ErrOldCopy) {
		return fmt.Errorf("%w: bitacora keys restore", err)
	}
	return err
}

func (a *app) close() error {
	var errs []error
	if a.tables != nil {
		errs = append(errs, a.tables.Close())
	}
	if a.db != nil {
		a.db.Close()
	}
	if a.release != nil {
		errs = append(errs, a.release())
	}
	return errors.Join(errs...)
}

// live is the build that readers see, and up to which position and time it holds the log.
func (a *app) live(ctx context.Context) (staff.Tables, staff.Through, error) {
	build, err := a.db.LiveBuild(ctx)
	if err != nil {
		return nil, staff.Through{}, err
	}
	position, at, err := a.db.DataThrough(ctx, build)
	return a.tables.Reader(build), staff.Through{Position: position, Time: at}, err
}

// withoutThem is what becomes of what [leftOut] names.
const withoutThem = "a zone or an address is the built-in clinic's until then, and visitors see no country and no emergency number."

// warnOfLeftOut says what a clinic's file leaves out that it should have.
func (a *app) warnOfLeftOut() {
	if left := leftOut(a.clinic); len(left) > 0 {
		a.log.Warn("the clinic's file leaves out what it should tell: "+withoutThem, "add", strings.Join(left, ", "), "file", a.config.ClinicFile)
	}
}

// presentable refuses to tell everybody what is made up.
func (a *app) presentable() error {
	made := madeUp(a.clinic)
	if !a.config.public() || a.config.Placeholders == placeholdersAllowed || len(made) == 0 {
		return nil
	}
	return misuse{fmt.Errorf("%s would tell visitors what is made up (%s): tell it in the clinic's file, BITACORA_CLINIC_FILE, or set BITACORA_PLACEHOLDERS=%s",
		a.config.SiteURL, strings.Join(made, ", "), placeholdersAllowed)}
}
