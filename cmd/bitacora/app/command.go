package app

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/command"
)

// Command is a subcommand that works on the clinic's databases.
func Command(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *App, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: args,
		RunE: func(c *cobra.Command, given []string) error {
			a, err := Open(c)
			if err != nil {
				return err
			}
			return errors.Join(work(c.Context(), a, given), a.Close())
		},
	}
}

// LogCommand is a subcommand that works on the log alone: where no serve runs, ClickHouse stays away, and
// its port may be taken.
func LogCommand(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *App, []string) error) *cobra.Command {
	return command.Needing(command.NeedsLog, Command(use, short, example, args, work))
}
