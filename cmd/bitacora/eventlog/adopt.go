package eventlog

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

func newLogAdopt() *cobra.Command {
	c := app.Command("adopt-epoch", "Take over a log that was restored or copied from another place", "  bitacora log adopt-epoch",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return AdoptEpoch(ctx, a) })
	c.Long = `Take over a log that was restored or copied from another place.

The log gets an epoch of its own, so that nobody mistakes it for the original. Builds without rows of
other events continue. The command names the others, which need a rebuild.`
	return c
}

// AdoptEpoch gives the log an epoch of its own, and reports whether a rebuild is due.
func AdoptEpoch(ctx context.Context, a *app.App) error {
	rebuildDue, err := Adopt(ctx, a)
	if rebuildDue {
		fmt.Println("the live build cannot be kept up: run bitacora rebuild")
	}
	return err
}

// Adopt says whether the live build has to be made anew.
func Adopt(ctx context.Context, a *app.App) (rebuildDue bool, err error) {
	if err := a.Builds.Tables.Wait(ctx); err != nil {
		return false, err
	}
	epoch, rebuildDue, err := builds.EpochAdopter{
		Builds: a.DB, Checker: a.Builds.Checker,
		// Letters follow nothing but the log.
		Also: []string{mail.Topic},
		Adopt: func(ctx context.Context, names []string) (string, error) {
			return logdump.AdoptEpoch(ctx, a.At.MigrationURL, names)
		},
		Report: func(build string, obstacle error) {
			if obstacle == nil {
				fmt.Printf("build %s goes on\n", build)
			} else {
				fmt.Printf("build %s is left behind: %v\n", build, obstacle)
			}
		},
	}.Run(ctx)
	if err != nil {
		return false, err
	}
	fmt.Println("the log is now epoch", epoch)
	if err := app.RecordAct(ctx, a, &event.EpochAdopted{OperatorAct: app.ActOfOperator, Epoch: epoch}); err != nil {
		return rebuildDue, err
	}
	return rebuildDue, keepAnchor(ctx, a)
}
