package main

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

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
)

// stored is a backup in a directory of backups.
type stored struct {
	Name    string    `json:"name"`
	TakenAt time.Time `json:"takenAt,omitzero"`
	Bytes   int64     `json:"bytes"`
	Events  int64     `json:"events"`
	Schema  string    `json:"schema"`
	// Problem says why it cannot be restored; empty where every file is there and as long as it was.
	Problem string `json:"problem,omitempty"`

	dir      string
	manifest logdump.Manifest
}

// storedBackups lists what is in a directory of backups, the latest first; what is not whole has no time and
// comes last. Without the directory there is none.
func storedBackups(dir string) ([]stored, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	var list []stored
	for _, e := range entries {
		if e.IsDir() && backupName.MatchString(e.Name()) {
			list = append(list, lookAt(filepath.Join(dir, e.Name())))
		}
	}
	slices.SortFunc(list, func(a, b stored) int { return b.TakenAt.Compare(a.TakenAt) })
	return list, nil
}

// lookAt describes a backup by its manifest and the lengths of its files.
func lookAt(dir string) stored {
	s := stored{Name: filepath.Base(dir), dir: dir}
	if filepath.Ext(dir) == draftSuffix {
		s.Problem = "it was interrupted"
		return s
	}
	var err error
	if s.manifest, err = logdump.ReadManifest(dir); err != nil {
		s.Problem = "it has no whole manifest"
		return s
	}
	s.TakenAt, s.Events, s.Schema = s.manifest.TakenAt, s.manifest.Head, s.manifest.Schema()
	if s.Bytes, err = s.manifest.Size(dir); err != nil {
		s.Problem = err.Error()
	}
	return s
}

// newestWhole is the latest backup of a directory that can be restored: of a log, which its first
// event names, or of any where none is named.
func newestWhole(dir, firstEvent string) (s stored, ok bool, err error) {
	list, err := storedBackups(dir)
	i := slices.IndexFunc(list, func(s stored) bool { return s.Problem == "" && s.of(firstEvent) })
	if err != nil || i < 0 {
		return stored{}, false, err
	}
	return list[i], true, nil
}

// of says whether it is of a log: several clinics may keep theirs in one directory. One that does not
// name its log may be of any.
func (s stored) of(firstEvent string) bool {
	return firstEvent == "" || s.manifest.FirstEvent == "" || s.manifest.FirstEvent == firstEvent
}

// firstEvent is the id of the first event of a log; empty where there is none yet.
func firstEvent(ctx context.Context, db *postgres.DB) (string, error) {
	events, err := db.Log().ScanClear(ctx, 0, 1, 1)
	if err != nil || len(events) == 0 {
		return "", err
	}
	return events[0].ID, nil
}

// backupsIn runs a subcommand that needs no database on the backups of a directory.
func backupsIn(c *cobra.Command, work func(ctx context.Context, a *app, dir string, args []string) error) *cobra.Command {
	var from string
	needing(needsNothing, c)
	c.Flags().StringVar(&from, "from", "", "directory in which the backups lie; empty: as BITACORA_BACKUP_DIR says")
	c.RunE = func(c *cobra.Command, args []string) error {
		a, err := configure()
		if err != nil {
			return err
		}
		if from == "" {
			from = a.config.backups()
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
	}, func(_ context.Context, _ *app, dir string, _ []string) error {
		list, err := storedBackups(dir)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(os.Stdout, append([]stored{}, list...))
		}
		return printBackups(os.Stdout, dir, list)
	})
	c.Long = `Show what backups there are, the latest first: when they were taken, their size, events and
schema, and whether every file is there and as long as it was. "bitacora backup verify" reads them.`
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return c
}

func printBackups(out io.Writer, dir string, list []stored) error {
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", s.Name, s.TakenAt.UTC().Format(time.DateTime), sizeText(uint64(s.Bytes)), s.Events, s.Schema, state)
	}
	return w.Flush()
}

// sizeText is a number of bytes for people.
func sizeText(bytes uint64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GiB", bytes>>30)
	case bytes >= 10<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", (bytes+1023)>>10)
}

func newBackupVerify() *cobra.Command {
	c := backupsIn(&cobra.Command{
		Use: "verify [NAME]...", Short: "Read backups whole and say whether they are what was written",
		Example: "  bitacora backup verify\n  bitacora backup verify before-update --from /mnt/elsewhere",
	}, func(_ context.Context, a *app, dir string, names []string) error {
		list, err := chosenBackups(dir, names)
		if err != nil {
			return err
		}
		damaged := false
		for _, s := range list {
			if err := verifyBackup(a, s); err != nil {
				damaged = true
				fmt.Printf("%s: %v\n", s.Name, err)
				continue
			}
			fmt.Printf("%s: whole, %d events at positions 1 to %d, %s\n", s.Name, s.Events, s.Events, sizeText(uint64(s.Bytes)))
		}
		if damaged {
			return errFound
		}
		return nil
	})
	whenLeft(c, leavesAll)
	c.Long = `Read backups whole: every file has the checksum and the rows that it was written with, and the log
has an event at each position. By default the latest one. No key is needed, so also whoever only
keeps the copies can do it. Exit code 3 says that one is damaged. Whether a backup can be brought
back with the keys of today, "bitacora backup drill" says.`
	return c
}

// chosenBackups are those of some names, or the latest.
func chosenBackups(dir string, names []string) (list []stored, err error) {
	if len(names) == 0 {
		s, ok, err := newestWhole(dir, "")
		if err == nil && !ok {
			err = misuse{fmt.Errorf("there is no whole backup in %s", dir)}
		}
		return []stored{s}, err
	}
	for _, name := range names {
		if !backupName.MatchString(name) {
			return nil, misuse{fmt.Errorf("%q is no name for a backup", name)}
		}
		list = append(list, lookAt(filepath.Join(dir, name)))
	}
	return list, nil
}

func verifyBackup(a *app, s stored) error {
	if s.Problem != "" {
		return errors.New(s.Problem)
	}
	shown := newProgress("bytes")
	defer shown.Done()
	return s.manifest.Verify(s.dir, shown.Show)
}

// ownName is a name that the program gives to a backup.
var ownName = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{6}Z$`)

func newBackupPrune() *cobra.Command {
	var keep string
	var apply bool
	c := backupsIn(&cobra.Command{
		Use: "prune", Short: "Show which backups are not kept any longer, or remove them",
		Example: "  bitacora backup prune\n  bitacora backup prune --keep daily=14,weekly=8 --apply", Args: cobra.NoArgs,
	}, func(_ context.Context, a *app, dir string, _ []string) error {
		rule := a.config.BackupKeep
		if keep != "" {
			if err := rule.UnmarshalText([]byte(keep)); err != nil {
				return misuse{fmt.Errorf("--keep: %w", err)}
			}
		}
		goes, err := outdated(dir, rule, time.Now(), a.clinic.Zone)
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
	whenLeft(c, leavesPart)
	c.Long = `Show which backups are not kept any longer, or remove them. Kept are the latest of each of so many
days, weeks and months of the clinic's zone (of each log, where several clinics keep theirs there), everything that was given a name by hand, whatever is
damaged (it does not count either), and the latest whole one in any case. What was interrupted more
than a day ago goes. "bitacora serve" does so after each of its nightly backups.`
	c.Flags().StringVar(&keep, "keep", "", "how many are kept, daily=7,weekly=4,monthly=6; empty: as BITACORA_BACKUP_KEEP says")
	c.Flags().BoolVar(&apply, "apply", false, "remove them; there is no way back")
	return c
}

// outdated lists the backups of a directory that a rule does not keep.
func outdated(dir string, rule keeping, now time.Time, zone *time.Location) (goes []stored, err error) {
	list, err := storedBackups(dir)
	if err != nil {
		return nil, err
	}
	own := map[string][]stored{} // by the first event of their log
	for _, s := range list {
		switch {
		case filepath.Ext(s.Name) == draftSuffix:
			if info, err := os.Stat(s.dir); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
				goes = append(goes, s)
			}
		case s.Problem == "" && ownName.MatchString(s.Name):
			own[s.manifest.FirstEvent] = append(own[s.manifest.FirstEvent], s)
		}
	}
	for _, log := range slices.Sorted(maps.Keys(own)) {
		var times []time.Time
		for _, s := range own[log] {
			times = append(times, s.TakenAt.In(zone))
		}
		for i, keep := range rule.kept(times) {
			if !keep {
				goes = append(goes, own[log][i])
			}
		}
	}
	return goes, nil
}

// removeBackups removes backups so that half a one is none: what has no manifest is not whole.
func removeBackups(list []stored) error {
	var errs []error
	for _, s := range list {
		err := os.Remove(filepath.Join(s.dir, logdump.ManifestFile))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.RemoveAll(s.dir)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("remove backup: %w", err))
		}
	}
	return errors.Join(errs...)
}
