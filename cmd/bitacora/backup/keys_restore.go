package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/settings"
)

func newKeysBundle() *cobra.Command {
	return app.LogCommand("bundle", "Write the key bundle anew, as every backup and every rotation does", "  bitacora keys bundle",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			b, err := logdump.WriteBundle(ctx, a.DB, a.Config.BundleFile())
			if err == nil {
				fmt.Printf("%d keys are in %s\n", b.Keys, a.Config.BundleFile())
			}
			return err
		})
}

func newKeysRestore() *cobra.Command {
	var from keySource
	c := &cobra.Command{
		Use:   "restore",
		Short: "Give a Postgres that was recovered to an earlier moment the keys of today",
		Long: `Give a Postgres that was recovered to an earlier moment the keys of today. Stop "bitacora serve"
first. Keys that were rotated since are taken out of the key bundle; whoever was erased since stays
erased. The log is adopted, as by "bitacora log adopt-epoch".`,
		Example: "  bitacora keys restore\n  bitacora keys restore --bundle /mnt/keys/bundle",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			return restoreKeys(c.Context(), a, from)
		},
	}
	command.WhenLeft(c, `until it says that the keys are those of today, nothing was changed: the same command again begins anew.
From then on they are: bitacora log adopt-epoch`)
	from.flags(c)
	return c
}

func restoreKeys(ctx context.Context, a *app.App, from keySource) (err error) {
	if err := a.Begun(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	prepare := func(ctx context.Context, url string) error {
		_, err := postgres.Migrate(ctx, url)
		return err
	}
	err = putBack(ctx, a, from, prepare, func(keys logdump.Keys) error { return logdump.RecoverKeys(ctx, a.At.MigrationURL, keys) })
	if err != nil {
		return err
	}
	fmt.Println("the keys are those of today")
	return eventlog.AdoptEpoch(ctx, a)
}

// putBack gives the keys of today to what puts a log back, before anybody opens it, and connects
// to what came of it. Prepare makes the tables for it.
func putBack(ctx context.Context, a *app.App, from keySource, prepare func(ctx context.Context, url string) error, put func(logdump.Keys) error) error {
	keys, err := from.keys(a.Config)
	if err != nil {
		return err
	}
	if a.At, a.Release, err = engines.Use(ctx, a.Engines()); err != nil {
		return err
	}
	if err := prepare(ctx, a.At.MigrationURL); err != nil {
		return err
	}
	if err := put(keys); err != nil {
		return from.wayOut(err)
	}
	a.Restored = true
	if err := a.Connect(ctx); err != nil {
		return err
	}
	return a.DB.Log().IndexSubjects(ctx, nil)
}

// keySource is where a log that was put back gets its keys from.
type keySource struct {
	bundle        string
	older, giveUp bool
	// unbundled takes the absence of a bundle for that of any rotation: the first one writes it.
	unbundled bool
}

func (k *keySource) flags(c *cobra.Command) {
	c.Flags().StringVar(&k.bundle, "bundle", "", "the newest key bundle; empty: as BITACORA_KEY_BUNDLE says")
	c.Flags().BoolVar(&k.older, "older-bundle", false, "take the bundle although somebody was erased after it was written; of them nothing is taken")
	c.Flags().BoolVar(&k.giveUp, "give-up-lost", false, "erase the people whose keys are lost, and go on with the others")
}

// keys opens bundle and ledger, before anything is touched.
func (k keySource) keys(c settings.Config) (keys logdump.Keys, err error) {
	file := k.bundle
	if file == "" {
		file = c.BundleFile()
	}
	keys.Store, keys.OlderBundle, keys.GiveUp = c.Keys(), k.older, k.giveUp
	keys.Bundle, err = logdump.OpenBundle(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (k.giveUp || k.unbundled && k.bundle == ""):
	case errors.Is(err, fs.ErrNotExist):
		return keys, fmt.Errorf("there is no key bundle %s, and no other place has the keys: bring the newest copy of the keys directory back, or name a bundle with --bundle; where all are lost, --give-up-lost goes on without", file)
	case err != nil:
		return keys, fmt.Errorf("%w: bring its newest copy back, or name another bundle with --bundle", err)
	}
	erasures, err := c.Ledger().All()
	for _, e := range erasures {
		keys.Erased = append(keys.Erased, e.Subject)
	}
	return keys, err
}

// wayOut says what to do about keys that were refused.
func (k keySource) wayOut(err error) error {
	switch {
	case errors.Is(err, logdump.ErrErasedSince):
		return fmt.Errorf("%w: name a newer one with --bundle; where there is none, --older-bundle takes it without these keys", err)
	case errors.Is(err, logdump.ErrOlderBundle):
		return fmt.Errorf("%w: name the newest one with --bundle; where there is none, --give-up-lost goes on without the keys it lacks", err)
	case errors.Is(err, logdump.ErrOtherLog):
		return fmt.Errorf("%w: name that of this log with --bundle", err)
	}
	return err
}
