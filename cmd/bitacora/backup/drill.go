package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/durable"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/tables"
	"bitacora/domain/fault"
)

func newBackupDrill() *cobra.Command {
	var o restoration
	c := &cobra.Command{
		Use: "drill [NAME]", Short: "Bring a backup back beside everything that runs, compare it, and remove it again",
		Example: "  bitacora backup drill\n  bitacora backup drill before-update --from /mnt/elsewhere",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			return drill(c.Context(), a, o, args)
		},
	}
	command.WhenLeft(c, command.LeavesAll)
	c.Long = `Bring a backup back, by default the latest, with the keys of today, into engines and a directory of
its own in the data directory, while everything goes on. Where there is no data directory, as on a
machine that has copies only, that is made among the temporary files (TMPDIR). Then the log is checked event by event, the
tables are held against it message by message, and where the log of this installation is there, each
event of the backup is compared with it. At the end it says how long what took, and removes all of it.
Exit code 3 says that something differs.`
	c.Flags().StringVar(&o.from, "from", "", "directory in which the backup lies; empty: as BITACORA_BACKUP_DIR says")
	o.flags(c)
	return c
}

func drill(ctx context.Context, a *app.App, o restoration, args []string) (err error) {
	if o.from == "" {
		o.from = a.Config.Backups()
	}
	list, err := chosenBackups(o.from, args)
	if err != nil {
		return err
	}
	return inDrill(a, func(dir string) (err error) {
		m, err := restorable(ctx, a, o.keySource, list[0].Dir, filepath.Dir(dir))
		if err != nil {
			return err
		}
		q, err := rehearsal(a, dir)
		if err != nil {
			return err
		}
		fmt.Printf("backup %s of %s, into %s\n", list[0].Name, list[0].TakenAt.In(a.Clinic.Zone).Format(time.DateTime), dir)
		began := time.Now()
		defer func() { err = errors.Join(err, q.Close()) }()
		if err := bringBack(ctx, q, o.keySource, list[0].Dir, m); err != nil {
			return err
		}
		back := time.Now()
		if err := compareDrill(ctx, a, q, m); err != nil {
			return err
		}
		fmt.Printf("back after %.1f s, compared in %.1f s\n", back.Sub(began).Seconds(), time.Since(back).Seconds())
		return nil
	})
}

// inDrill runs work in a directory of its own, which it removes with what drills left that were killed.
func inDrill(a *app.App, work func(dir string) error) (err error) {
	into, err := drillsPlace(a.Config.DataDir)
	if err != nil {
		return err
	}
	for _, left := range LeftByDrills(into) {
		if err := removeDrill(left); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp(into, drillPrefix)
	if err != nil {
		return fmt.Errorf("make a directory for the drill: %w", err)
	}
	held, ok := holdDrill(dir)
	if !ok {
		return fmt.Errorf("the directory of the drill %s is held by another program", dir)
	}
	defer held.Close()
	defer func() { err = errors.Join(err, removeDrill(dir)) }()
	// Under root the engines run as another user, who has to get in.
	if err := os.Chmod(dir, 0o711); err != nil {
		return fmt.Errorf("open the directory of the drill: %w", err)
	}
	return work(dir)
}

// drillPrefix begins the names of directories in which drills bring a backup back.
const drillPrefix = "bitacora-drill-"

// holdDrill keeps a drill's directory from being taken for one that was left, until the file is closed
// or the program ends. Ok is false where another program holds it, or where it is another user's.
func holdDrill(dir string) (held *os.File, ok bool) {
	held, err := os.Open(dir)
	if err != nil {
		return nil, false
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		held.Close()
		return nil, false
	}
	return held, true
}

// LeftByDrills are the directories of drills that were killed, with copies of keys in them.
func LeftByDrills(place string) (left []string) {
	found, _ := filepath.Glob(filepath.Join(place, drillPrefix+"*")) // a pattern that is none has no files
	for _, dir := range found {
		if held, ok := holdDrill(dir); ok {
			held.Close()
			left = append(left, dir)
		}
	}
	return left
}

// drillsPlace is the data directory. A machine to which only a backup and keys were brought has none, and
// gets none: there it is where temporary files lie.
func drillsPlace(dataDir string) (string, error) {
	_, err := os.Stat(dataDir)
	if errors.Is(err, fs.ErrNotExist) {
		return os.TempDir(), nil
	}
	return dataDir, fault.Wrap(err, "look for the data directory")
}

// empty is an installation in a directory of its own.
func empty(a *app.App, dir string) *app.App {
	c := a.Config
	c.DataDir, c.KeysDir, c.KeyBundle = dir, filepath.Join(dir, "keys"), ""
	c.DatabaseURL, c.MigrationURL, c.ClickHouseURL, c.ClickHouseAddr = "", "", "", "127.0.0.1:0"
	// What fails is returned. That the builds of the backup have no tables here is no fault.
	return &app.App{Config: c, Clinic: a.Clinic, Log: slog.New(slog.DiscardHandler), Meters: app.NewMeters()}
}

// rehearsal is an empty installation with copies of the keys.
func rehearsal(a *app.App, dir string) (*app.App, error) {
	q := empty(a, dir)
	c := q.Config
	if err := os.CopyFS(c.KeysDir, os.DirFS(a.Config.Keys().Dir)); err != nil {
		return nil, fmt.Errorf("copy the keys: %w", err)
	}
	for from, to := range map[string]string{a.Config.BundleFile(): c.BundleFile(), a.Config.Keys().Single: c.Keys().Single} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("copy the keys: %w", err)
		}
	}
	return q, nil
}

// removeDrill removes what a drill made, the copies of keys so that nobody finds their bytes.
func removeDrill(dir string) error {
	keys := keyfiles.Store{Dir: filepath.Join(dir, "keys")}
	errs := []error{durable.ShredFiles(keys.Copy()), durable.ShredFiles(keys.Dir), durable.ShredFiles(dir)}
	if elsewhere, err := os.Readlink(filepath.Join(dir, "engines")); err == nil {
		errs = append(errs, os.RemoveAll(elsewhere))
	}
	return fault.Wrap(errors.Join(append(errs, os.RemoveAll(dir))...), "remove what the drill made")
}

// compareDrill says what was compared, and fails where something differs.
func compareDrill(ctx context.Context, a, q *app.App, m logdump.Manifest) error {
	shown := command.NewProgress("events")
	var anchors []postgres.Anchor
	if m.Anchor.Position > 0 {
		anchors = append(anchors, m.Anchor)
	}
	report, err := q.DB.Log().Check(ctx, shown.Show, anchors...)
	shown.Done()
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	if len(report.Findings) > 0 || report.Events < m.Head {
		fmt.Printf("the log has %d events of %d, and is not whole\n", report.Events, m.Head)
		return command.ErrFound
	}
	fmt.Printf("log: %d events, each as it was appended and readable, none is missing\n", m.Head)
	err = q.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
		live, err := q.DB.LiveBuild(ctx)
		if err != nil {
			return err
		}
		v, err := q.Builds.Verifier.Verify(ctx, live, "")
		if err != nil {
			return err
		}
		return tables.PrintVerification(v, false)
	})
	if err != nil {
		return err
	}
	return compareLogs(ctx, a, q, m)
}

// compareLogs holds what came back against the log of this installation, where it is there.
func compareLogs(ctx context.Context, a, q *app.App, m logdump.Manifest) (err error) {
	if a.Begun() != nil {
		fmt.Println("there is no log here to compare it with")
		return nil
	}
	a.HasBegun = true
	if err := a.Open(ctx); err != nil {
		fmt.Printf("the log of this installation cannot be compared: %v\n", err)
		return nil
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	then, err := q.DB.Log().Fingerprint(ctx, m.Head)
	if err != nil {
		return err
	}
	now, err := a.DB.Log().Fingerprint(ctx, m.Head)
	if err != nil {
		return err
	}
	if then != now {
		fmt.Printf("the log of this installation tells something else up to position %d\n", m.Head)
		return command.ErrFound
	}
	fmt.Printf("this installation's log: the same %d events\n", m.Head)
	return nil
}
