package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"bitacora/adapters/durable"
	"bitacora/adapters/engines"
	"bitacora/adapters/offsite"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
)

// copySource is where a log comes from that was copied elsewhere.
type copySource struct {
	log, keys  offsite.Target
	identities []age.Identity
	at         time.Time
}

func sourceOf(a *app.App, o restoration) (s copySource, err error) {
	if o.keysFrom == "" {
		o.keysFrom = a.Config.ReplicateKeys
	}
	if s.log, err = offsite.Open(o.from); err != nil {
		return s, fmt.Errorf("--from: %w", err)
	}
	if s.keys, err = offsite.Open(o.keysFrom); err != nil {
		return s, fmt.Errorf("--keys: %w", err)
	}
	if o.at != "" {
		if s.at, err = time.Parse(time.RFC3339, o.at); err != nil {
			return s, fmt.Errorf("--at: %q is no moment like 2006-01-02T15:04:05-05:00", o.at)
		}
	}
	f, err := os.Open(o.identity)
	if err != nil {
		return s, fmt.Errorf("--identity: %w", err)
	}
	defer f.Close()
	if s.identities, err = age.ParseIdentities(f); err != nil {
		return s, fmt.Errorf("--identity: %w", err)
	}
	return s, nil
}

// restoreCopy brings a log back on a machine that has nothing of it.
func restoreCopy(ctx context.Context, a *app.App, o restoration) (err error) {
	s, err := sourceOf(a, o)
	if err != nil {
		return command.Misuse(err)
	}
	if a.Config.DatabaseURL != "" {
		return errors.New("a copy comes back into the embedded PostgreSQL: unset BITACORA_DATABASE_URL; bitacora backup and bitacora restore move the log from there to a server")
	}
	if err := a.Engines().Empty(); err != nil {
		return err
	}
	if o.position > 0 {
		if s.at, err = s.momentOf(ctx, a, o); err != nil {
			return err
		}
	}
	point, err := offsite.Find(ctx, s.log, s.at)
	if err != nil {
		return err
	}
	fmt.Printf("base backup of %s, and the log after it until %s\n", point.Base.In(a.Clinic.Zone).Format(time.DateTime), point.Until.In(a.Clinic.Zone).Format(time.DateTime))
	if point.Cut {
		fmt.Println("what was copied later cannot be used: a piece before it is missing")
	}
	if there, err := os.ReadDir(a.Config.Keys().Dir); err == nil && len(there) > 0 {
		return fmt.Errorf("%s holds keys already: move them away, the copied ones come there", a.Config.Keys().Dir)
	}
	if err := s.fetch(ctx, a, point); err != nil {
		// The same command begins anew.
		return errors.Join(err, durable.ShredFiles(a.Config.Keys().Dir), durable.Shred(a.Config.BundleFile()))
	}
	return comeBack(ctx, a, o, s)
}

// fetch brings the keys, and the log if they are not older than it.
func (s copySource) fetch(ctx context.Context, a *app.App, point offsite.Point) error {
	passwords, err := s.fetchFiles(ctx, a)
	if err != nil {
		return err
	}
	erasures, err := a.Config.Ledger().All()
	if err != nil {
		return err
	}
	if len(erasures) < point.Erasures {
		return fmt.Errorf("%s has a ledger of %d erasures, and %d were there when the log was copied: name the place with the newest keys", s.keys, len(erasures), point.Erasures)
	}
	shown := command.NewProgress("bytes")
	until := s.at
	if until.After(point.Until) {
		until = time.Time{}
	}
	err = engines.Recover(a.Engines(), until, passwords, func(dir string) error {
		return point.Fetch(ctx, s.log, s.identities, dir, shown.Show)
	})
	shown.Done()
	return err
}

// comeBack starts what was brought, and makes it the log of this machine.
func comeBack(ctx context.Context, a *app.App, o restoration, s copySource) (err error) {
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := open(ctx, a, o); err != nil {
		return err
	}
	until := s.at
	if until.IsZero() {
		until = time.Now()
	}
	found := eventlog.CheckLog(ctx, a, nil, until)
	if found != nil && !errors.Is(found, command.ErrFound) {
		return found
	}
	head, err := a.DB.Log().Head(ctx)
	if err != nil {
		return err
	}
	if err := tablesAnew(ctx, a); err != nil {
		return err
	}
	if o.drill {
		fmt.Printf("%d events came back for a trial\n", head)
		return found
	}
	epoch, err := a.DB.Log().Epoch(ctx)
	if err != nil {
		return err
	}
	if err := offsite.TakeOver(ctx, epoch, s.log, s.keys); err != nil {
		return err
	}
	fmt.Printf("%d events are back; bitacora serve copies this log to the same places from now on\n", head)
	return found
}

// open starts the engines on what was brought.
func open(ctx context.Context, a *app.App, o restoration) error {
	o.unbundled = true
	prepare := func(ctx context.Context, url string) error {
		_, err := postgres.Migrate(ctx, url)
		return err
	}
	put := func() error {
		return putBack(ctx, a, o.keySource, prepare, func(keys logdump.Keys) error { return logdump.RecoverKeys(ctx, a.At.MigrationURL, keys) })
	}
	err := put()
	if err == nil {
		return nil
	}
	unreached, otherwise := a.Engines().Unreached()
	if !unreached {
		return errors.Join(err, otherwise)
	}
	return put()
}

// momentOf is when an event was stored, or what was stored with it: the newest state is opened for it and removed again.
func (s copySource) momentOf(ctx context.Context, a *app.App, o restoration) (at time.Time, err error) {
	err = inDrill(a, func(dir string) (err error) {
		q := empty(a, dir)
		defer func() { err = errors.Join(err, q.Close()) }()
		point, err := offsite.Find(ctx, s.log, time.Time{})
		if err != nil {
			return err
		}
		if err := s.fetch(ctx, q, point); err != nil {
			return err
		}
		if err := open(ctx, q, o); err != nil {
			return err
		}
		at, err = postgres.Parts{Log: q.DB.Log()}.StoredBefore(ctx, o.position)
		return err
	})
	return at, err
}

// drillCopy brings a copy back beside everything that runs, and removes it again.
func drillCopy(ctx context.Context, a *app.App, o restoration) error {
	s, err := sourceOf(a, o)
	if err != nil {
		return command.Misuse(err)
	}
	began := time.Now()
	if err := inDrill(a, func(dir string) error { return restoreCopy(ctx, empty(a, dir), o) }); err != nil {
		return err
	}
	fmt.Printf("back and checked after %.1f s\n", time.Since(began).Seconds())
	return offsite.NoteDrill(ctx, s.log, offsite.Drill{At: began.UTC().Truncate(time.Second)})
}

// fetchFiles brings the keys and the clinic's file, and gives the passwords of the engines.
func (s copySource) fetchFiles(ctx context.Context, a *app.App) (passwords []byte, err error) {
	c := a.Config
	if err := os.MkdirAll(c.Keys().Dir, 0o700); err != nil {
		return nil, err
	}
	err = offsite.FetchFiles(ctx, s.keys, s.identities, func(name string, content io.Reader) error {
		key, isKey := strings.CutPrefix(name, keyFiles)
		switch {
		case name == passwordsFile:
			passwords, err = io.ReadAll(content)
			return err
		case name == clinicFile:
			file := filepath.Join(c.DataDir, "restored-"+clinicFile)
			fmt.Printf("the clinic's file is %s: put it in its place where BITACORA_CLINIC_FILE names none\n", file)
			return durable.Replace(file, content, nil)
		case name == keyFiles+"bundle":
			return durable.Replace(c.BundleFile(), content, nil)
		case isKey && filepath.Base(key) == key:
			return durable.Replace(filepath.Join(c.Keys().Dir, key), content, nil)
		}
		return fmt.Errorf("%q is no file of a clinic", name)
	})
	return passwords, err
}
