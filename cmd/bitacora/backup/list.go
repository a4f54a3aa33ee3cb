package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
)

// backupsIn runs a subcommand that needs no database on the backups of a directory.
func backupsIn(c *cobra.Command, work func(ctx context.Context, a *app.App, dir string, args []string) error) *cobra.Command {
	var from string
	command.Needing(command.NeedsNothing, c)
	c.Flags().StringVar(&from, "from", "", "directory in which the backups lie; empty: as BITACORA_BACKUP_DIR says")
	c.RunE = func(c *cobra.Command, args []string) error {
		a, err := app.Configure()
		if err != nil {
			return err
		}
		if from == "" {
			from = a.Config.Backups()
		}
		return work(c.Context(), a, from, args)
	}
	return c
}

func newBackupList() *cobra.Command {
	asJSON := false
	c := backupsIn(&cobra.Command{
		Use: "list", Short: "Show what backups there are, and whether they are whole",
		Example: "  bitacora backup list\n  bitacora backup list --from /mnt/elsewhere --json", Args: cobra.NoArgs,
	}, func(_ context.Context, _ *app.App, dir string, _ []string) error {
		list, err := app.Backups(dir)
		if err != nil {
			return err
		}
		if asJSON {
			return command.PrintJSON(os.Stdout, append([]app.Backup{}, list...))
		}
		return printBackups(os.Stdout, dir, list)
	})
	c.Long = `Show what backups there are, the latest first: when they were taken, their size, events and
schema, and whether every file is there and as long as it was. "bitacora backup verify" reads them.`
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return c
}

func printBackups(out io.Writer, dir string, list []app.Backup) error {
	if len(list) == 0 {
		fmt.Fprintf(out, "no backups in %s\n", dir)
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tTAKEN (UTC)\tSIZE\tEVENTS\tSCHEMA\tSTATE")
	for _, s := range list {
		if s.TakenAt.IsZero() {
			fmt.Fprintf(w, "%s\t\t\t\t\t%s\n", s.Name, s.Problem)
			continue
		}
		state := s.Problem
		if state == "" {
			state = "whole"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", s.Name, s.TakenAt.UTC().Format(time.DateTime), command.SizeText(uint64(s.Bytes)), s.Events, s.Schema, state)
	}
	return w.Flush()
}

func newBackupVerify() *cobra.Command {
	c := backupsIn(&cobra.Command{
		Use: "verify [NAME]...", Short: "Read backups whole and say whether they are what was written",
		Example: "  bitacora backup verify\n  bitacora backup verify before-update --from /mnt/elsewhere",
	}, func(_ context.Context, a *app.App, dir string, names []string) error {
		list, err := chosenBackups(dir, names)
		if err != nil {
			return err
		}
		damaged := false
		for _, s := range list {
			if err := verifyBackup(s); err != nil {
				damaged = true
				fmt.Printf("%s: %v\n", s.Name, err)
				continue
			}
			fmt.Printf("%s: whole, %d events at positions 1 to %d, %s\n", s.Name, s.Events, s.Events, command.SizeText(uint64(s.Bytes)))
		}
		if damaged {
			return command.ErrFound
		}
		return nil
	})
	command.WhenLeft(c, command.LeavesAll)
	c.Long = `Read backups whole: every file has the checksum and the rows that it was written with, and the log
has an event at each position. By default the latest one. No key is needed, so also whoever only
keeps the copies can do it. Exit code 3 says that one is damaged. Whether a backup can be brought
back with the keys of today, "bitacora backup drill" says.`
	return c
}

// chosenBackups are those of some names, or the latest.
func chosenBackups(dir string, names []string) (list []app.Backup, err error) {
	if len(names) == 0 {
		s, ok, err := app.NewestBackup(dir, "")
		if err == nil && !ok {
			err = command.Misuse(fmt.Errorf("there is no whole backup in %s", dir))
		}
		return []app.Backup{s}, err
	}
	for _, name := range names {
		if !app.BackupName.MatchString(name) {
			return nil, command.Misuse(fmt.Errorf("%q is no name for a backup", name))
		}
		list = append(list, app.ReadBackup(filepath.Join(dir, name)))
	}
	return list, nil
}

func verifyBackup(s app.Backup) error {
	if s.Problem != "" {
		return errors.New(s.Problem)
	}
	shown := command.NewProgress("bytes")
	defer shown.Done()
	return s.Manifest.Verify(s.Dir, shown.Show)
}

// ownName is a name that the program gives to a backup.
var ownName = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{6}Z$`)

func newBackupPrune() *cobra.Command {
	var keep string
	var apply bool
	c := backupsIn(&cobra.Command{
		Use: "prune", Short: "Show which backups are not kept any longer, or remove them",
		Example: "  bitacora backup prune\n  bitacora backup prune --keep daily=14,weekly=8 --apply", Args: cobra.NoArgs,
	}, func(_ context.Context, a *app.App, dir string, _ []string) error {
		rule := a.Config.BackupKeep
		if keep != "" {
			if err := rule.UnmarshalText([]byte(keep)); err != nil {
				return command.Misuse(fmt.Errorf("--keep: %w", err))
			}
		}
		goes, err := outdated(dir, rule, time.Now(), a.Clinic.Zone)
		if err != nil {
			return err
		}
		fmt.Printf("kept: %s\n", rule)
		for _, s := range goes {
			fmt.Printf("%s goes\n", s.Name)
		}
		if !apply {
			fmt.Printf("%d backups would be removed; --apply removes them for good\n", len(goes))
			return nil
		}
		err = removeBackups(goes)
		fmt.Printf("%d backups are removed\n", len(goes))
		return err
	})
	command.WhenLeft(c, command.LeavesPart)
	c.Long = `Show which backups are not kept any longer, or remove them. Kept are the latest of each of so many
days, weeks and months of the clinic's zone (of each log, where several clinics keep theirs there), everything that was given a name by hand, whatever is
damaged (it does not count either), and the latest whole one in any case. What was interrupted more
than a day ago goes. "bitacora serve" does so after each of its nightly backups.`
	c.Flags().StringVar(&keep, "keep", "", "how many are kept, daily=7,weekly=4,monthly=6; empty: as BITACORA_BACKUP_KEEP says")
	c.Flags().BoolVar(&apply, "apply", false, "remove them; there is no way back")
	return c
}

// outdated lists the backups of a directory that a rule does not keep.
func outdated(dir string, rule settings.Keeping, now time.Time, zone *time.Location) (goes []app.Backup, err error) {
	list, err := app.Backups(dir)
	if err != nil {
		return nil, err
	}
	own := map[string][]app.Backup{} // by the first event of their log
	for _, s := range list {
		switch {
		case filepath.Ext(s.Name) == app.BackupDraft:
			if info, err := os.Stat(s.Dir); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
				goes = append(goes, s)
			}
		case s.Problem == "" && ownName.MatchString(s.Name):
			own[s.Manifest.FirstEvent] = append(own[s.Manifest.FirstEvent], s)
		}
	}
	for _, log := range slices.Sorted(maps.Keys(own)) {
		var times []time.Time
		for _, s := range own[log] {
			times = append(times, s.TakenAt.In(zone))
		}
		for i, keep := range rule.Kept(times) {
			if !keep {
				goes = append(goes, own[log][i])
			}
		}
	}
	return goes, nil
}

// removeBackups removes backups so that half a one is none: what has no manifest is not whole.
func removeBackups(list []app.Backup) error {
	var errs []error
	for _, s := range list {
		err := os.Remove(filepath.Join(s.Dir, logdump.ManifestFile))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.RemoveAll(s.Dir)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("remove backup: %w", err))
		}
	}
	return errors.Join(errs...)
}
