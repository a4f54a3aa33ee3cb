package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/command"
)

// MigrateLog applies the migrations that the log's database lacks, each with a line in the program's log.
// Saved says that a backup was made before.
func MigrateLog(ctx context.Context, a *App) (saved bool, err error) {
	applied, err := postgres.MigrateAfter(ctx, a.At.MigrationURL, func(ctx context.Context, p postgres.Pending) error {
		if len(p.Parting) == 0 || a.Restored {
			return nil
		}
		a.Log.Warn("the former program cannot go on with this database once it is migrated: a backup is made first", "migrations", strings.Join(p.Parting, " "))
		name, err := backUpBefore(ctx, a, p)
		if err != nil {
			return fmt.Errorf("nothing was migrated, since the backup before it failed and there would be no way back; make room for it, or name another directory in BITACORA_BACKUP_DIR: %w", err)
		}
		saved = true
		a.Log.Info("backup made", "name", name, "events", p.Head)
		return nil
	})
	for _, name := range applied {
		level := slog.LevelInfo
		if len(applied) > 0 && applied[0] == firstMigration {
			level = slog.LevelDebug // a new database gets all of them
		}
		a.Log.Log(ctx, level, "migration applied", "name", name)
	}
	return saved, err
}

// firstMigration begins every database.
const firstMigration = "0000_migrations.sql"

// backUpBefore makes the backup by which the former program comes back, or finds one that holds as much.
func backUpBefore(ctx context.Context, a *App, p postgres.Pending) (name string, err error) {
	newest, ok, err := NewestBackup(a.Config.Backups(), p.FirstEvent)
	if err != nil {
		return "", err
	}
	// An update that fails is tried again and again.
	if ok && newest.Events == p.Head && newest.Manifest.FirstEvent == p.FirstEvent && newest.Schema+".sql" < p.Names[0] && time.Since(newest.TakenAt) < time.Hour {
		return newest.Name, nil
	}
	name = BackupNameAt(time.Now())
	dir, err := BackupDir(a.Config, "", name)
	if err != nil {
		return "", err
	}
	if err := EnoughRoom(filepath.Dir(dir), uint64(p.Bytes), "a backup"); err != nil {
		return "", err
	}
	// Its keys are written once the database is migrated, and lie in it until then.
	_, err = DumpLog(ctx, a, a.At.MigrationURL, dir, func() error { return nil })
	return name, err
}

// CheckMigrations reports what an update will do to the database.
func CheckMigrations(ctx context.Context, a *App) (err error) {
	a.LogAlone = true
	if err := a.Begun(); err != nil {
		return err
	}
	if a.At, a.Release, err = engines.Use(ctx, a.Engines()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	p, err := postgres.PendingMigrations(ctx, a.At.MigrationURL)
	switch {
	case err != nil:
		return err
	case len(p.Names) == 0:
		fmt.Println("no migration: programs of both versions go on")
	default:
		fmt.Println("to be applied:", strings.Join(p.Names, " "))
		if p.Names[0] == firstMigration {
			return nil
		}
		if len(p.Parting) == 0 {
			fmt.Println("the former program goes on beside them, and can come back")
		} else {
			fmt.Printf("the former program cannot go on after %s: serve makes a backup first, and the way back is to restore it\n", p.Parting[0])
		}
	}
	cost, err := postgres.UpdateCostOf(ctx, a.At.MigrationURL)
	if err != nil {
		return err
	}
	fmt.Println(tablesAfter(cost))
	if err := EnoughRoom(a.Config.Backups(), uint64(cost.Bytes), "a backup"); err != nil {
		fmt.Println("no update without room:", err)
	}
	if len(p.Parting) > 0 {
		return command.ErrFound
	}
	return nil
}

// tablesAfter says what an update does to the dashboard's tables.
func tablesAfter(c postgres.UpdateCost) string {
	switch {
	case !c.Due:
		return "the tables of the dashboard stay"
	case c.Takes == 0:
		return fmt.Sprintf("the tables of the dashboard are made anew from %d events while the old ones answer; no rebuild was timed here", c.Events)
	}
	return fmt.Sprintf("the tables of the dashboard are made anew from %d events while the old ones answer: about %v at the newest rebuild's pace",
		c.Events, max(c.Takes.Round(time.Second), time.Second))
}

// FormerAnalysts says what to do for those who had the views by the role of all clinics.
func FormerAnalysts(views string, former []string) string {
	before, now := access.Role(access.DefaultDatabase), access.Role(views)
	return fmt.Sprintf("the role %s reads nothing of this clinic any more, and %s had it: GRANT %s TO those of them who are its analysts",
		before, strings.Join(former, ", "), now)
}

// analystsRenewer keeps what analysts may do on a server of one's own as this program declares it.
func analystsRenewer(tables *clickhouse.DB, password string, logger *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		former, err := tables.AdmitAnalysts(ctx, password)
		if len(former) > 0 {
			logger.Warn(FormerAnalysts(tables.ViewsDatabase(), former))
		}
		switch {
		case errors.Is(err, clickhouse.ErrMayNotGrant):
			logger.Info("analysts are not admitted: bitacora migrate prints the SQL for who may", "error", err)
		case err != nil:
			logger.Warn("analysts cannot be admitted", "error", err)
		}
	}
}
