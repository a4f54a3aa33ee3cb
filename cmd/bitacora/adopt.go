package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres/logdump"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

func newLogAdopt() *cobra.Command {
	c := command("adopt-epoch", "Take over a log that was restored or copied from another place", "  bitacora log adopt-epoch",
		cobra.NoArgs, func(ctx context.Context, a *app, _ []string) error { return adoptEpoch(ctx, a) })
	c.Long = `Take over a log that was restored or copied from another place.

The log gets an epoch of its own, so that nobody mistakes it for the original. Builds without rows of
other events continue. The command names the others, which need a rebuild.`
	return c
}

func adoptEpoch(ctx context.Context, a *app) error {
	rebuildDue, err := adopt(ctx, a)
	if rebuildDue {
		fmt.Println("the live build cannot be kept up: run bitacora rebuild")
	}
	return err
}

// adopt says whether the live build has to be made anew.
func adopt(ctx context.Context, a *app) (rebuildDue bool, err error) {
	if err := a.builds.tables.Wait(ctx); err != nil {
		return false, err
	}
	epoch, rebuildDue, err := builds.EpochAdopter{
		Builds: a.db, Checker: a.builds.checker,
		// Letters follow nothing but the log.
		Also: []string{mail.Topic},
		Adopt: func(ctx context.Context, names []string) (string, error) {
			return logdump.AdoptEpoch(ctx, a.at.MigrationURL, names)
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
	if err := recordAct(ctx, a, &event.EpochAdopted{OperatorAct: actOfOperator, Epoch: epoch}); err != nil {
		return rebuildDue, err
	}
	return rebuildDue, keepAnchor(ctx, a)
}
