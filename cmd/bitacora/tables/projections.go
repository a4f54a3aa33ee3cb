package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// NewProjections is "bitacora projections".
func NewProjections() *cobra.Command {
	var asJSON bool
	var window time.Duration
	c := app.Command("projections", "Show the builds of the tables, with position and obstacle of each",
		"  bitacora projections\n  bitacora projections --json | jq .\n  bitacora projections drop b3", command.OnlySubcommands,
		func(ctx context.Context, a *app.App, _ []string) error {
			list, err := a.Builds.Inspector.Inspect(ctx, window)
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(os.Stdout).Encode(list)
			} else {
				err = printBuilds(list)
			}
			for _, b := range list {
				if b.Stuck {
					return errors.Join(err, command.ErrFound)
				}
			}
			return err
		})
	c.Long = "Show the builds of the tables, with position and obstacle of each.\n\nExit code 3 says that one of them is stuck."
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().DurationVar(&window, "window", time.Second, "how long to watch for movement, where something is behind")
	c.AddCommand(app.Command("drop BUILD", "Remove a build that is not live, with its tables", "  bitacora projections drop b3", cobra.ExactArgs(1),
		func(ctx context.Context, a *app.App, args []string) error {
			list, err := a.DB.Builds(ctx)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(list, func(b builds.Build) bool { return b.Name == args[0] })
			if i < 0 {
				return fmt.Errorf("build %s: %w", args[0], postgres.ErrNotFound)
			}
			s := list[i]
			if s.State == builds.Live {
				return fmt.Errorf("build %s is live: bitacora rebuild or bitacora rollback first", s.Name)
			}
			return a.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
				drop := a.Builds.Dropper.Drop
				if s.State == builds.Dropped { // an earlier call may have left its tables
					drop = a.Tables.DropBuild
				}
				if err := drop(ctx, s.Name); err != nil {
					return err
				}
				fmt.Printf("build %s is dropped\n", s.Name)
				return nil
			})
		}))
	return c
}

func printBuilds(list []builds.Inspection) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BUILD\tSTATE\tVERSION\tPOSITION\tLAG\tRATE\tPARKED\tOWNER\tIS")
	for _, b := range list {
		is := "up to date"
		switch {
		case b.Stuck:
			is = "stuck"
		case b.LagEvents > 0 && b.EventsPerSecond > 0:
			is = "moving"
		case b.LagEvents > 0:
			is = "behind"
		}
		if b.Reason != "" {
			is += ": " + b.Reason
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d events, %.1f s\t%.0f/s\t%d\t%s\t%s\n",
			b.Build, b.State, b.Version, b.Position, b.LagEvents, b.LagSeconds, b.EventsPerSecond, b.Parked, b.Owner, is)
	}
	return w.Flush()
}
