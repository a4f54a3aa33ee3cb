package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

// command is a subcommand that works on the clinic's databases.
func command(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *app, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: args,
		RunE: func(c *cobra.Command, given []string) error {
			a, err := openApp(c)
			if err != nil {
				return err
			}
			return errors.Join(work(c.Context(), a, given), a.close())
		},
	}
}

// logCommand is a subcommand that works on the log alone: where no serve runs, ClickHouse stays away, and
// its port may be taken.
func logCommand(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *app, []string) error) *cobra.Command {
	return needing(needsLog, command(use, short, example, args, work))
}
