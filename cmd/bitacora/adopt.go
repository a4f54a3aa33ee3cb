package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/projections"
)

func newLogAdopt() *cobra.Command {
	c := command("adopt-epoch", "Take over a log that was restored or copied from another place", "  bitacora log adopt-epoch",
		cobra.NoArgs, func(ctx context.Context, h *app, _ []string) error { return h.adoptEpoch(ctx) })
	c.Long = `Take over a log that was restored or copied from another place.

The log gets a name of its own (an epoch), so that it cannot be mistaken for the one it was
copied from. Builds that hold nothing but what this log tells go on; the others have to be
rebuilt, which is said.`
	return c
}

func (a *app) adoptEpoch(ctx context.Context) error {
	if err := a.tables.Wait(ctx); err != nil {
		return err
	}
	list, err := a.db.BuildStatuses(ctx)
	if err != nil {
		return err
	}
	// Letters go on where the log does: what they follow is nothing but the log.
	sound := []string{mail.Topic}
	due := false
	for _, s := range list {
		s.LogMoved = false // which is what is being adopted
		origin, marked, err := a.tables.Origin(ctx, s.Name)
		if err == nil && (marked || s.WriteAhead > 0) {
			err = a.examineBuild(ctx, s, origin, marked)
		}
		if err != nil && !errors.Is(err, errUnsound) && !errors.Is(err, errOutdated) {
			return err
		}
		if err == nil {
			sound = append(sound, s.Name)
			fmt.Printf("build %s goes on\n", s.Name)
			continue
		}
		due = due || s.State == projections.IsLive
		fmt.Printf("build %s is left behind: %v\n", s.Name, err)
	}
	epoch, err := postgres.AdoptEpoch(ctx, a.at.DatabaseURL, sound)
	if err != nil {
		return err
	}
	fmt.Println("the log is now epoch", epoch)
	if due {
		fmt.Println("the live build cannot be kept up: run bitacora rebuild")
	}
	return nil
}
