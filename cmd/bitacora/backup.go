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

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/projections/builds"
)

func newBackup() *cobra.Command {
	var to string
	c := logCommand("backup [NAME]", "Copy the log into a directory, and write the key bundle",
		"  bitacora backup                 # named for the time\n  bitacora backup before-update\n  bitacora backup --to /mnt/elsewhere",
		nil, func(ctx context.Context, a *app, args []string) error { return backup(ctx, a, to, args) })
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			if meant(c, args[0]) != "" {
				return fmt.Errorf("%w A backup needs a name that is less like it", unknownCommand(c, args[0]))
			}
		}
		return cobra.MaximumNArgs(1)(c, args)
	}
	whenLeft(c, "no backup was made, and nothing is left of it: the same command again makes one")
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

func newRestore() *cobra.Command {
	var o restoration
	c := &cobra.Command{
		Use:     "restore NAME",
		Short:   "Bring a backup back into an empty log, with the keys of today",
		Example: "  bitacora restore before-update\n  bitacora restore before-update --from /mnt/elsewhere --bundle /mnt/keys/bundle",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := configure()
			if err != nil {
				return err
			}
			return restore(c.Context(), a, o, args[0])
		},
	}
	whenLeft(c, `until it says how many events are back, nothing was changed: the same command again brings them back.
From then on the log is there: bitacora log adopt-epoch, then bitacora rebuild`)
	c.Long = `Bring a backup back into an empty log, with the keys of today. Stop "bitacora serve" first, and
put the newest copy of the keys directory in its place. Whoever was erased, also after the
backup, stays erased. The log is adopted: it gets an epoch of its own. Then the tables are made
anew from it.`
	c.Flags().StringVar(&o.from, "from", "", "directory in which the backup lies; empty: backups in the data directory")
	o.flags(c)
	return c
}

type restoration struct {
	keySource
	from string
}

var backupName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.-]*$`)

// draftSuffix ends the name of a backup that is not whole.
const draftSuffix = ".partial"

// clinicCopy is the name that the clinic's file has in a backup.
const clinicCopy = "clinic.json"

// backupDir is where a backup lies: in a directory that was named, or where backups are made.
func backupDir(c config, in, name string) (string, error) {
	if !backupName.MatchString(name) || filepath.Ext(name) == draftSuffix {
		return "", misuse{fmt.Errorf("%q is no name for a backup", name)}
	}
	if in == "" {
		in = c.backups()
	}
	dir, err := filepath.Abs(filepath.Join(in, name))
	if err != nil {
		return "", fmt.Errorf("find the directory of backups: %w", err)
	}
	return dir, nil
}

func backup(ctx context.Context, a *app, to string, args []string) error {
	name := ownBackupName(time.Now())
	if len(args) == 1 {
		name = args[0]
	}
	dir, err := backupDir(a.config, to, name)
	if err != nil {
		return err
	}
	return a.db.WithLease(ctx, "backup", func(ctx context.Context) error {
		if _, err := os.Stat(dir); err == nil {
			return fmt.Errorf("%s exists: choose another name", dir)
		}
		m, err := backUp(ctx, a, dir)
		if err != nil {
			return err
		}
		fmt.Printf("%d events are in %s\nkey bundle %s is written anew: keep its newest copy and that of %s elsewhere, apart from backups\n",
			m.Head, dir, a.config.keyBundle(), a.config.keys().Dir)
		return nil
	})
}

// backUp writes beside the directory, which gets its name when it is whole. The bundle comes
// after what is in the log, so that it has the keys of all of it.
func backUp(ctx context.Context, a *app, dir string) (logdump.Manifest, error) {
	if err := enoughFor(ctx, a, dir); err != nil {
		return logdump.Manifest{}, err
	}
	return dumpLog(ctx, a, a.at.DatabaseURL, dir, func() error {
		_, err := logdump.WriteBundle(ctx, a.db, a.config.keyBundle())
		return err
	})
}

// dumpLog writes a backup of the database that url names, and what belongs to it.
func dumpLog(ctx context.Context, a *app, url, dir string, belongs func() error) (logdump.Manifest, error) {
	draft := dir + draftSuffix
	if err := os.RemoveAll(draft); err != nil {
		return logdump.Manifest{}, fmt.Errorf("remove what an interrupted backup left: %w", err)
	}
	with := logdump.Extras{Program: commit, Files: map[string]string{}}
	if a.config.ClinicFile != "" {
		with.Files[clinicCopy] = a.config.ClinicFile
	}
	m, err := logdump.Write(ctx, url, draft, with)
	if err == nil {
		err = belongs()
	}
	if err != nil {
		return m, errors.Join(err, os.RemoveAll(draft))
	}
	if err := os.Rename(draft, dir); err != nil {
		return m, fmt.Errorf("name the backup: %w", err)
	}
	if m.Anchor.Position > 0 {
		if err := a.config.anchors().Add([]string{m.Anchor.String()}, m.Anchor.At); err != nil {
			return m, err
		}
	}
	parent, err := os.Open(filepath.Dir(dir))
	if err != nil {
		return m, fmt.Errorf("name the backup: %w", err)
	}
	return m, errors.Join(parent.Sync(), parent.Close())
}

func restore(ctx context.Context, a *app, o restoration, name string) (err error) {
	dir, err := backupDir(a.config, o.from, name)
	if err != nil {
		return err
	}
	into := a.config.DataDir
	if a.config.DatabaseURL != "" {
		into = "" // the server's disk
	}
	m, err := restorable(ctx, a, o.keySource, dir, into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err := bringBack(ctx, a, o.keySource, dir, m); err != nil {
		return err
	}
	for _, f := range m.Files {
		fmt.Printf("%s of then is %s: put it in its place where BITACORA_CLINIC_FILE names none\n", f.Name, filepath.Join(dir, f.Name))
	}
	return nil
}

// bringBack fills the log from a backup and makes the tables anew where that is needed.
func bringBack(ctx context.Context, a *app, from keySource, dir string, m logdump.Manifest) error {
	prepare := func(ctx context.Context, url string) error { return postgres.MigrateTo(ctx, url, m.Migrations) }
	err := putBack(ctx, a, from, prepare, func(keys logdump.Keys) error {
		m, err := logdump.Restore(ctx, a.at.MigrationURL, dir, keys)
		if err == nil {
			fmt.Printf("%d events are back\n", m.Head)
		}
		return err
	})
	if err != nil {
		return err
	}
	list, err := a.db.Builds(ctx)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.State != builds.Live && b.State != builds.Dropped {
			if err := a.db.MoveBuild(ctx, b.Name, builds.Dropped); err != nil {
				return err
			}
		}
	}
	rebuildDue, err := adopt(ctx, a)
	if err != nil {
		return err
	}
	if _, err := a.db.LiveBuild(ctx); !rebuildDue && !errors.Is(err, postgres.ErrNotFound) {
		return err
	}
	fmt.Println("the tables are made anew from the log:")
	return rebuild(ctx, a, builds.StandardOptions(), &reporter{out: os.Stdout})
}
