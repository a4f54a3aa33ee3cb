package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

func newKeysSeal() *cobra.Command {
	return keyForm("seal", "Seal the key files with BITACORA_MASTER_KEY", `Seal the key files with BITACORA_MASTER_KEY: files that are not sealed, and those that
BITACORA_MASTER_KEY_BEFORE still opens. No other command changes the form of a key file.`, keyfiles.Store.Seal)
}

func newKeysUnseal() *cobra.Command {
	return keyForm("unseal", "Write the key files as they are, without BITACORA_MASTER_KEY", `Write the key files as they are, so that they open without BITACORA_MASTER_KEY. Unset it then: beside
it, files that are not sealed are refused.`, keyfiles.Store.Unseal)
}

// keyForm is a command that changes the form of the key files.
func keyForm(use, short, long string, change func(keyfiles.Store, context.Context) (int, error)) *cobra.Command {
	c := command.Needing(command.NeedsLog, &cobra.Command{
		Use: use, Short: short, Example: "  bitacora keys " + use, Args: cobra.NoArgs,
		Long: long + `

Stop "bitacora serve" first, on every machine. A copy of the files lies in the directory "copy" of the
keys directory until every new file was opened.`,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.ConfigureFor(c)
			if err != nil {
				return err
			}
			return changeKeyForm(c.Context(), a, change)
		},
	})
	command.WhenLeft(c, "every key is there in one form or the other: the same command again goes on")
	return c
}

func changeKeyForm(ctx context.Context, a *app.App, change func(keyfiles.Store, context.Context) (int, error)) (err error) {
	keys := a.Config.Keys().InAnyForm()
	do := func() error {
		n, err := change(keys, ctx)
		if err == nil {
			fmt.Printf("%d key files in %s are written anew and open: replace the copies of the directory\n", n, keys.Dir)
		}
		return err
	}
	noLog := a.Begun()
	if noLog != nil {
		held, err := keys.Keys(ctx)
		if len(held) == 0 {
			return errors.Join(noLog, err)
		}
	}
	switch {
	case keys.Master == nil:
		return command.Misuse(errors.New("BITACORA_MASTER_KEY is not set: name the master key that seals the key files"))
	case noLog != nil:
		return do() // a log that is about to be restored
	}
	if h, ok := a.Engines().Holder(); ok {
		return fmt.Errorf("process %d (%s) uses these keys: stop it first", h.PID, h.Command)
	}
	// Nobody else starts on the data directory meanwhile.
	supervisor, err := engines.Start(ctx, a.Engines())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, supervisor.Stop(context.WithoutCancel(ctx))) }()
	if _, err := postgres.Migrate(ctx, supervisor.Endpoints().MigrationURL); err != nil {
		return err
	}
	db, err := postgres.Look(ctx, supervisor.Endpoints().DatabaseURL, a.Log)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.WithoutRotation(ctx, func() error {
		if err := postgres.CheckKeys(ctx, db, keys); err != nil {
			return fmt.Errorf("%w (keys directory %s)", err, keys.Dir)
		}
		return do()
	})
}
