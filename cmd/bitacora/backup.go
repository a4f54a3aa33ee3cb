package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/projections/builds"
)

func newBackup() *cobra.Command {
	c := command("backup [NAME]", "Copy the log and the live tables of the embedded engines into the data directory",
		"  bitacora backup                 # named for the time\n  bitacora backup before-update", cobra.MaximumNArgs(1), backup)
	c.Long = `Copy the log and the live tables of the embedded engines into the data directory, as of one
position, while everything runs. The keys are not in it: copy the keys directory elsewhere, apart.
schema/OPERATIONS.md says what to do with servers of your own.`
	return c
}

func newRestore() *cobra.Command {
	c := command("restore NAME", "Bring a backup back into empty embedded engines", "  bitacora restore before-update", cobra.ExactArgs(1), restore)
	c.Long = `Bring a backup back into empty embedded engines. Stop "bitacora serve" first and put the
keys directory of the backup's time in its place. The log is adopted: it gets an epoch
of its own. Tables that are missing in the backup are made by "bitacora rebuild".`
	return c
}

var backupName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.-]*$`)

// backupDir is where a backup lies: where the embedded ClickHouse may write.
func backupDir(at engines.Endpoints, dataDir, name string) (string, error) {
	if !at.EmbeddedPostgres || !at.EmbeddedClickHouse {
		return "", misuse{errors.New("this is for the embedded engines; schema/OPERATIONS.md says how to back up servers of your own")}
	}
	if !backupName.MatchString(name) {
		return "", misuse{fmt.Errorf("%q is no name for a backup", name)}
	}
	home, err := filepath.Abs(dataDir)
	if err != nil {
		return "", fmt.Errorf("find the data directory: %w", err)
	}
	if elsewhere, err := filepath.EvalSymlinks(filepath.Join(home, "engines")); err == nil {
		home = elsewhere
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return "", fmt.Errorf("find the data directory: %w", err)
	}
	return filepath.Join(home, "clickhouse", "backups", name), nil
}

func backup(ctx context.Context, a *app, args []string) error {
	name := time.Now().UTC().Format("2006-01-02T150405Z")
	if len(args) == 1 {
		name = args[0]
	}
	dir, err := backupDir(a.at, a.config.DataDir, name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("%s exists: choose another name", dir)
	}
	return a.builds.exclusive.Run(ctx, func(ctx context.Context) error { return backUp(ctx, a, dir) })
}

// backUp copies tables and log as of one position. Only the live build is paused
// meanwhile; events go on being appended.
func backUp(ctx context.Context, a *app, dir string) error {
	live, err := a.db.LiveBuild(ctx)
	if err != nil {
		return err
	}
	if err := a.builds.checker.CheckNow(ctx, live); err != nil {
		return err
	}
	var dump *postgres.Dump
	err = a.builds.pauser.Pause(ctx, []string{live}, func(ctx context.Context, _ int64) error {
		if dump, err = postgres.BeginDump(ctx, a.at.DatabaseURL); err != nil {
			return err
		}
		return a.tables.Backup(ctx, live, filepath.Join(dir, live))
	})
	if dump != nil {
		defer dump.Close()
	}
	if err != nil {
		return err
	}
	m, err := dump.Write(ctx, filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	fmt.Printf("%d events and build %s are in %s\ncopy the keys directory elsewhere, apart: nobody reads personal data without it\n", m.Head, live, dir)
	return nil
}

func restore(ctx context.Context, a *app, args []string) error {
	dir, err := backupDir(a.at, a.config.DataDir, args[0])
	if err != nil {
		return err
	}
	if err := a.tables.Wait(ctx); err != nil {
		return err
	}
	m, err := postgres.Restore(ctx, a.at.DatabaseURL, filepath.Join(dir, "log"), a.config.keys())
	if err != nil {
		return err
	}
	list, err := a.db.Builds(ctx)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.State == builds.Live {
			err = restoreTables(ctx, a.tables, b.Name, filepath.Join(dir, b.Name))
		} else if b.State != builds.Dropped {
			err = a.db.MoveBuild(ctx, b.Name, builds.Dropped)
		}
		if err != nil {
			return err
		}
	}
	fmt.Printf("%d events are back\n", m.Head)
	return adoptEpoch(ctx, a)
}

// restoreTables brings a build back, where the backup holds it.
func restoreTables(ctx context.Context, tables *clickhouse.DB, build, dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := tables.DropBuild(ctx, build); err != nil {
		return err
	}
	return tables.Restore(ctx, build, dir)
}
