// Package app is what the commands work with: the settings, the engines, the log, the tables with their builds, and
// the stored backups.
package app

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
	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
)

// App is what a command works with: the settings, the engines, the log, and the tables with what
// operates their builds.
type App struct {
	Config  settings.Config
	Clinic  clinic.Clinic
	Log     *slog.Logger
	At      engines.Endpoints
	DB      *postgres.DB
	Tables  *clickhouse.DB
	Meters  *meters
	Builds  *Builds
	Release func() error
	// LogAlone leaves ClickHouse out: tables and builds are nil then.
	LogAlone bool
	// HasBegun says that a log without keys is not given its first one.
	HasBegun bool
	// Restored says that the log came out of a backup, which needs none before it is migrated.
	Restored bool
	// Patience is how long a command waits for ClickHouse; 0: as long as it takes.
	Patience time.Duration
}

// TablesPatience is how long a command that needs ClickHouse waits for one that is away or hangs, before it
// fails with nothing done. Within it serve restarts an embedded one that hangs.
var TablesPatience = time.Minute

// Open finds or starts the databases of a clinic that has begun, and brings the log's to the
// shape that this program knows. The command's context ends with a process whose engines it found.
func Open(c *cobra.Command) (*App, error) {
	a, err := ConfigureFor(c)
	if err != nil {
		return nil, err
	}
	if err := a.Begun(); err != nil {
		return nil, err
	}
	a.HasBegun = true
	if a.At, a.Release, err = engines.Use(c.Context(), a.Engines()); err != nil {
		return nil, err
	}
	c.SetContext(a.Engines().Watch(c.Context()))
	if err := a.Connect(c.Context()); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Begun refuses a data directory that nobody began: whoever calls a command in the wrong folder is
// not to find a new, empty clinic there.
func (a *App) Begun() error {
	if e := a.Engines(); !e.Embeds() || e.Begun() {
		return nil
	}
	dir, err := filepath.Abs(a.Config.DataDir)
	if err != nil {
		return fmt.Errorf("find the data directory: %w", err)
	}
	return command.Misuse(fmt.Errorf("%s is no data directory of a clinic: run this where the clinic's is, or name it in BITACORA_DATA_DIR; bitacora serve begins a new one", dir))
}

// Open finds or starts the databases that are configured, in a data directory that is made where
// there is none.
func (a *App) Open(ctx context.Context) (err error) {
	a.At, a.Release, err = engines.Use(ctx, a.Engines())
	if err != nil {
		return err
	}
	if err := a.Connect(ctx); err != nil {
		return errors.Join(err, a.Close())
	}
	return nil
}

// ConfigureFor reads what is configured, for what a command needs.
func ConfigureFor(c *cobra.Command) (*App, error) {
	a, err := Configure()
	if err == nil {
		a.LogAlone = c.Annotations[command.Needs] == command.NeedsLog
	}
	return a, err
}

// Configure reads what is configured, without touching a database.
func Configure() (*App, error) { return ConfigureWith(os.Environ()) }

// ConfigureWith is [Configure] in an environment, NAME=value.
func ConfigureWith(environ []string) (*App, error) {
	c, err := settings.Load(environ)
	if err != nil {
		return nil, command.Misuse(fmt.Errorf("configuration:\n%w", err))
	}
	facts, err := ReadFacts(c.ClinicFile)
	if err != nil {
		return nil, command.Misuse(fmt.Errorf("BITACORA_CLINIC_FILE %s:\n%w", c.ClinicFile, err))
	}
	logger := settings.NewLogger(os.Stderr, c)
	slog.SetDefault(logger)
	return &App{Config: c, Clinic: facts, Log: logger, Meters: NewMeters(), Patience: TablesPatience}, nil
}

// Engines are what is configured of the engines.
func (a *App) Engines() engines.Config {
	return engines.Config{
		DataDir:        a.Config.DataDir,
		DatabaseURL:    settings.WithPassword(a.Config.DatabaseURL, a.Config.DatabasePassword),
		MigrationURL:   a.Config.MigrationURL,
		ClickHouseURL:  settings.WithPassword(a.Config.ClickHouseURL, a.Config.TablesPassword),
		ClickHouseAddr: a.Config.ClickHouseAddr,
		Zone:           a.Clinic.Zone.String(),
		Log:            a.Log,

		WithoutClickHouse: a.LogAlone,
		UnconfinedAnalyst: a.Config.AnalystAnyway,
	}
}

// Connect opens both databases. ClickHouse may still be away: whoever needs it waits for it, or
// says that it is missing.
func (a *App) Connect(ctx context.Context) (err error) {
	saved, err := MigrateLog(ctx, a)
	if err != nil {
		return err
	}
	keys := a.Config.Keys()
	keys.Begun = a.HasBegun
	if a.DB, err = postgres.Open(ctx, a.At.DatabaseURL, keys, a.Log); err != nil {
		return fmt.Errorf("%w (keys directory %s)", withKeysOfToday(err), keys.Dir)
	}
	logdump.KeepBundle(a.DB, a.Config.BundleFile())
	if saved { // the backup's keys
		if _, err := logdump.WriteBundle(ctx, a.DB, a.Config.BundleFile()); err != nil {
			return err
		}
	}
	destroyed, err := a.DB.KeepLedger(ctx, a.Config.Ledger())
	if err != nil {
		return withKeysOfToday(err)
	}
	a.WarnDestroyed(destroyed)
	if a.LogAlone {
		return nil
	}
	if a.Tables, err = clickhouse.OpenCluster(a.At.ClickHouseURL, a.Config.TablesCluster(), a.Clinic.Zone); err != nil {
		return err
	}
	a.Tables.Opening = analytics.Cohort{Hours: a.Clinic.Hours}.Opening()
	var published func(context.Context)
	if a.At.EmbeddedClickHouse {
		a.Tables.RememberDamage()
	} else {
		published = analystsRenewer(a.Tables, a.Config.AnalystPassword, a.Log)
	}
	a.Builds = OperateBuilds(a, published)
	return nil
}

// WarnDestroyed tells of keys that were there although their people were erased.
func (a *App) WarnDestroyed(keys int64) {
	if keys > 0 {
		a.Log.Warn("the log had keys of people who were erased, as an older copy of it has: they were destroyed again", "keys", keys)
	}
}

// withKeysOfToday says what to do about a log that is older than its keys.
func withKeysOfToday(err error) error {
	if errors.Is(err, postgres.ErrOldCopy) {
		return fmt.Errorf("%w: bitacora keys restore", err)
	}
	return err
}

// Close ends the connections, and the engines that were started for them.
func (a *App) Close() error {
	var errs []error
	if a.Tables != nil {
		errs = append(errs, a.Tables.Close())
	}
	if a.DB != nil {
		a.DB.Close()
	}
	if a.Release != nil {
		errs = append(errs, a.Release())
	}
	return errors.Join(errs...)
}

// Live is [App.LiveReader] for the dashboard.
func (a *App) Live(ctx context.Context) (staff.Tables, staff.Through, error) {
	return a.LiveReader(ctx)
}

// LiveReader is the build that readers see, and up to which position and time it holds the log.
func (a *App) LiveReader(ctx context.Context) (r *clickhouse.Reader, through staff.Through, err error) {
	through.Build, err = a.DB.LiveBuild(ctx)
	if err == nil {
		through.Position, through.Time, err = a.DB.DataThrough(ctx, through.Build)
	}
	return a.Tables.Reader(through.Build).Through(through.Position), through, err
}

// WithoutThem is what becomes of what [LeftOut] names.
const WithoutThem = "a zone or an address is the built-in clinic's until then, and visitors see no country and no emergency number."

// WarnOfLeftOut says what a clinic's file leaves out that it should have.
func (a *App) WarnOfLeftOut() {
	if left := LeftOut(a.Clinic); len(left) > 0 {
		a.Log.Warn("the clinic's file leaves out what it should tell: "+WithoutThem, "add", strings.Join(left, ", "), "file", a.Config.ClinicFile)
	}
}

// Presentable refuses to tell everybody what is made up.
func (a *App) Presentable() error {
	made := MadeUp(a.Clinic)
	if !a.Config.Public() || a.Config.Placeholders == settings.PlaceholdersAllowed || len(made) == 0 {
		return nil
	}
	return command.Misuse(fmt.Errorf("%s would tell visitors what is made up (%s): tell it in the clinic's file, BITACORA_CLINIC_FILE, or set BITACORA_PLACEHOLDERS=%s",
		a.Config.SiteURL, strings.Join(made, ", "), settings.PlaceholdersAllowed))
}

// OutboxFolder keeps letters where there is no mail server.
func OutboxFolder(a *App) *mail.Folder {
	to := a.Config.MailTo
	if len(to) == 0 {
		to = []string{a.Clinic.Email}
	}
	return mail.NewFolder(filepath.Join(a.Config.DataDir, "outbox"), a.Clinic.Email, to)
}
