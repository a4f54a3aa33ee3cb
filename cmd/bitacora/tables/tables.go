// Package tables has the commands about the tables and their builds.
package tables

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// NewTables is "bitacora tables".
func NewTables() *cobra.Command {
	reset := &cobra.Command{
		Use:     "reset",
		Short:   "Set the embedded ClickHouse's files aside and make the tables anew",
		Example: "  bitacora tables reset",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.ConfigureFor(c)
			if err != nil {
				return err
			}
			return resetTables(c, a)
		},
	}
	reset.Long = `Set the embedded ClickHouse's files aside and make the tables anew from the log, say because they are
damaged. They are kept beside the new ones under a name that ends in the time; the two latest are kept.

Beside a running "bitacora serve" that makes the tables anew, while visitors are served.`
	command.WhenLeft(reset, "the files are set aside, and bitacora serve or bitacora rebuild makes the tables anew")
	return command.Group(&cobra.Command{Use: "tables", Short: "Look after the files of the embedded ClickHouse"}, reset)
}

func resetTables(c *cobra.Command, a *app.App) error {
	if a.Config.ClickHouseURL != "" {
		return command.Misuse(errors.New("ClickHouse is a server of its own (BITACORA_CLICKHOUSE_URL): bitacora rebuild --fresh makes the tables anew there"))
	}
	if err := a.Begun(); err != nil {
		return err
	}
	running, err := a.Engines().RequestReset()
	if err != nil {
		return err
	}
	if running {
		fmt.Println("ClickHouse begins anew; bitacora serve makes the tables from the log, and bitacora projections shows how far it is")
		return nil
	}
	if err := a.Open(c.Context()); err != nil {
		return err
	}
	return errors.Join(Rebuild(c.Context(), a, builds.StandardOptions(), &app.Reporter{Out: os.Stdout}), a.Close())
}
