package backup

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bitacora/adapters/offsite"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// Names of copied files.
const (
	keyFiles      = "keys/"
	clinicFile    = "clinic.json"
	passwordsFile = "passwords.json"
)

// NewShipper is what copies the log elsewhere; nil where nothing does.
func NewShipper(a *app.App) (*offsite.Shipper, error) {
	c := a.Config
	if c.Replicate == "" {
		return nil, nil
	}
	target, err := offsite.Open(c.Replicate)
	if err != nil {
		return nil, err
	}
	keys, err := offsite.Open(c.ReplicateKeys)
	if err != nil {
		return nil, err
	}
	recipients, err := offsite.Recipients(c.ReplicateTo)
	if err != nil {
		return nil, err
	}
	return &offsite.Shipper{
		URL: replicationURL(a), Target: target, Recipients: recipients, Epoch: a.DB.Log().Epoch,
		Keep: time.Duration(c.ReplicateDays) * 24 * time.Hour, Log: a.Log,
		Files: &offsite.Files{Target: keys, Recipients: recipients, Here: func() (map[string]string, error) { return filesOf(a) }, Erasures: func() (int, error) {
			all, err := c.Ledger().All()
			return len(all), err
		}},
	}, nil
}

// replicationURL leads to the database as whoever may follow its write-ahead log.
func replicationURL(a *app.App) string { return cmp.Or(a.At.ReplicationURL, a.At.MigrationURL) }

// filesOf are the files without which nobody reads a copy, by the names that they have there.
func filesOf(a *app.App) (map[string]string, error) {
	c := a.Config
	files := map[string]string{keyFiles + "bundle": c.BundleFile()}
	found, err := os.ReadDir(c.Keys().Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range found {
		switch filepath.Ext(f.Name()) {
		case ".partial", ".new", ".old": // of an interrupted change
		default:
			if f.Type().IsRegular() && f.Name() != "bundle" {
				files[keyFiles+f.Name()] = filepath.Join(c.Keys().Dir, f.Name())
			}
		}
	}
	if c.ClinicFile != "" {
		files[clinicFile] = c.ClinicFile
	}
	if a.At.EmbeddedPostgres {
		if files[passwordsFile], err = a.Engines().Passwords(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Ship copies the log elsewhere until ctx ends. Of any number of processes one does it.
func Ship(ctx context.Context, a *app.App, s *offsite.Shipper) {
	if s == nil {
		if err := offsite.DropSlot(ctx, replicationURL(a)); err != nil && ctx.Err() == nil {
			a.Log.Warn("PostgreSQL keeps its write-ahead log for a copy that is no longer made", "error", err)
		}
		return
	}
	for {
		_, err := a.DB.TryWithLease(ctx, "offsite", builds.LeaseTime, func(ctx context.Context) error {
			s.Run(ctx)
			return nil
		})
		if err != nil && ctx.Err() == nil {
			a.Log.Error("nobody copies the log elsewhere, trying again", "error", err)
		}
		if !command.Pause(ctx, 2*builds.LeaseTime) {
			return
		}
	}
}

// isAddress says whether a backup is to come from a place that the log is copied to.
func isAddress(from string) bool { return strings.Contains(from, "://") }
