// Package backup has the commands about backups, keys and migrations, and the backup of every night.
package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/tables"
	"bitacora/projections/builds"
)

// NewBackup is "bitacora backup".
func NewBackup() *cobra.Command {
	var to string
	c := app.LogCommand("backup [NAME]", "Copy the log into a directory, and write the key bundle",
		"  bitacora backup                 # named for the time\n  bitacora backup before-update\n  bitacora backup --to /mnt/elsewhere",
		nil, func(ctx context.Context, a *app.App, args []string) error { return backup(ctx, a, to, args) })
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			if command.Meant(c, args[0]) != "" {
				return fmt.Errorf("%w A backup needs a name that is less like it", command.UnknownCommand(c, args[0]))
			}
		}
		return cobra.MaximumNArgs(1)(c, args)
	}
	command.WhenLeft(c, "no backup was made, and nothing is left of it: the same command again makes one")
	c.Long = `Copy the log, the accounts, the texts of the site and the clinic's file into a directory, as of one
moment, while everything runs. Nobody can read personal data by it: the keys are in the key bundle,
which is written anew. Keep the newest bundle and the keys directory, apart from the backups.
schema/OPERATIONS.md lists what is lost without each of them.

Where BITACORA_BACKUP_DIR is set, "bitacora serve" makes one every night and removes those that
BITACORA_BACKUP_KEEP does not keep.`
	c.Flags().StringVar(&to, "to", "", "directory in which the backup is made; empty: as BITACORA_BACKUP_DIR says")
	c.AddCommand(newBackupList(), newBackupVerify(), newBackupPrune(), newBackupDrill())
	return c
}

// NewRestore is "bitacora restore".
func NewRestore() *cobra.Command {
	var o restoration
	c := &cobra.Command{
		Use:   "restore [NAME]",
		Short: "Bring a backup, or the copy elsewhere, back into an empty log",
		Example: `  bitacora restore before-update
  bitacora restore before-update --from /mnt/elsewhere --bundle /mnt/keys/bundle
  bitacora restore --from s3://KEY:SECRET@s3.example/clinic --keys file:///mnt/keys --identity age.txt`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 != isAddress(o.from) {
				return errors.New("name a backup, or with --from alone the address of a copy elsewhere")
			}
			return cobra.MaximumNArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			switch {
			case o.drill && len(args) == 0:
				return drillCopy(c.Context(), a, o)
			case len(args) == 0:
				return restoreCopy(c.Context(), a, o)
			}
			return restore(c.Context(), a, o, args[0])
		},
	}
	command.WhenLeft(c, `until it says how many events are back, nothing was changed: the same command again brings them back.
From then on the log is there: bitacora log adopt-epoch, then bitacora rebuild`)
	c.Long = `Bring a backup back into an empty log, with the keys of today. Stop "bitacora serve" first, and
put the newest copy of the keys directory in its place. Whoever was erased, also after the
backup, stays erased. The log is adopted: it gets an epoch of its own. Then the tables are made
anew from it.

Without a name, and with the address of a place that BITACORA_REPLICATE copied the log to, the log comes
from there into an empty data directory: its newest state, that of a moment (--at), or that in which an
event was the last (--position; the copy is opened twice for it, and what was stored in one go comes
back together). The keys come from the second place. Afterwards this log is the one that is copied there.

With --drill the copy is brought back beside everything that runs, checked, and removed again; the
place keeps when that was. bitacora doctor asks for it every 35 days.`
	c.Flags().StringVar(&o.from, "from", "", "directory in which the backup lies, or address of a copy; empty: backups in the data directory")
	c.Flags().StringVar(&o.keysFrom, "keys", "", "address of the copied keys; empty: as BITACORA_REPLICATE_KEYS says")
	c.Flags().StringVar(&o.identity, "identity", "", "file with the identity of age that opens the copy")
	c.Flags().StringVar(&o.at, "at", "", "moment of the copy, 2006-01-02T15:04:05-05:00; empty: its newest state")
	c.Flags().Int64Var(&o.position, "position", 0, "position of the last event of the copy that comes back; 0: all")
	c.Flags().BoolVar(&o.drill, "drill", false, "only see that the copy comes back, and leave nothing")
	c.MarkFlagsMutuallyExclusive("at", "position")
	o.keySource.flags(c)
	return c
}

type restoration struct {
	keySource
	from string
	// Of a copy elsewhere.
	keysFrom, identity, at string
	position               int64
	drill                  bool
}

func backup(ctx context.Context, a *app.App, to string, args []string) error {
	name := app.BackupNameAt(time.Now())
	if len(args) == 1 {
		name = args[0]
	}
	dir, err := app.BackupDir(a.Config, to, name)
	if err != nil {
		return err
	}
	return a.DB.WithLease(ctx, "backup", func(ctx context.Context) error {
		if _, err := os.Stat(dir); err == nil {
			return fmt.Errorf("%s exists: choose another name", dir)
		}
		m, err := backUp(ctx, a, dir)
		if err != nil {
			return err
		}
		fmt.Printf("%d events are in %s\nkey bundle %s is written anew: keep its newest copy and that of %s elsewhere, apart from backups\n",
			m.Head, dir, a.Config.BundleFile(), a.Config.Keys().Dir)
		return nil
	})
}

// backUp writes beside the directory, which gets its name when it is whole. The bundle comes
// after what is in the log, so that it has the keys of all of it.
func backUp(ctx context.Context, a *app.App, dir string) (logdump.Manifest, error) {
	if err := enoughFor(ctx, a, dir); err != nil {
		return logdump.Manifest{}, err
	}
	return app.DumpLog(ctx, a, a.At.DatabaseURL, dir, func() error {
		_, err := logdump.WriteBundle(ctx, a.DB, a.Config.BundleFile())
		return err
	})
}

func restore(ctx context.Context, a *app.App, o restoration, name string) (err error) {
	dir, err := app.BackupDir(a.Config, o.from, name)
	if err != nil {
		return err
	}
	into := a.Config.DataDir
	if a.Config.DatabaseURL != "" {
		into = "" // the server's disk
	}
	m, err := restorable(ctx, a, o.keySource, dir, into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := bringBack(ctx, a, o.keySource, dir, m); err != nil {
		return err
	}
	for _, f := range m.Files {
		fmt.Printf("%s of then is %s: put it in its place where BITACORA_CLINIC_FILE names none\n", f.Name, filepath.Join(dir, f.Name))
	}
	return nil
}

// bringBack fills the log from a backup and makes the tables anew where that is needed.
func bringBack(ctx context.Context, a *app.App, from keySource, dir string, m logdump.Manifest) error {
	prepare := func(ctx context.Context, url string) error { return postgres.MigrateTo(ctx, url, m.Migrations) }
	err := putBack(ctx, a, from, prepare, func(keys logdump.Keys) error {
		m, err := logdump.Restore(ctx, a.At.MigrationURL, dir, keys)
		if err == nil {
			fmt.Printf("%d events are back\n", m.Head)
		}
		return err
	})
	if err != nil {
		return err
	}
	return tablesAnew(ctx, a)
}

// tablesAnew gives a log that was brought back an epoch of its own and its tables.
func tablesAnew(ctx context.Context, a *app.App) error {
	list, err := a.DB.Builds(ctx)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.State != builds.Live && b.State != builds.Dropped {
			if err := a.DB.MoveBuild(ctx, b.Name, builds.Dropped); err != nil {
				return err
			}
		}
	}
	rebuildDue, err := eventlog.Adopt(ctx, a)
	if err != nil {
		return err
	}
	if _, err := a.DB.LiveBuild(ctx); !rebuildDue && !errors.Is(err, postgres.ErrNotFound) {
		return err
	}
	fmt.Println("the tables are made anew from the log:")
	return tables.Rebuild(ctx, a, builds.StandardOptions(), &app.Reporter{Out: os.Stdout})
}
