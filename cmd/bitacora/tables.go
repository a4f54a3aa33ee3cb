package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bitacora/projections/builds"
)

func newTables() *cobra.Command {
	reset := &cobra.Command{
		Use:     "reset",
		Short:   "Set the embedded ClickHouse's files aside and make the tables anew",
		Example: "  bitacora tables reset",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := configureFor(c)
			if err != nil {
				return err
			}
			return resetTables(c, a)
		},
	}
	reset.Long = `Set the embedded ClickHouse's files aside and make the tables anew from the log, say because they are
damaged. They are kept beside the new ones under a name that ends in the time; the two latest are kept.

Beside a running "bitacora serve" that makes the tables anew, while visitors are served.`
	whenLeft(reset, "the files are set aside, and bitacora serve or bitacora rebuild makes the tables anew")
	return group(&cobra.Command{Use: "tables", Short: "Look after the files of the embedded ClickHouse"}, reset)
}

func resetTables(c *cobra.Command, a *app) error {
	if a.config.ClickHouseURL != "" {
		return misuse{errors.New("ClickHouse is a server of its own (BITACORA_CLICKHOUSE_URL): bitacora rebuild --fresh makes the tables anew there")}
	}
	if err := a.begun(); err != nil {
		return err
	}
	running, err := a.engines().RequestReset()
	if err != nil {
		return err
	}
	if running {
		fmt.Println("ClickHouse begins anew; bitacora serve makes the tables from the log, and bitacora projections shows how far it is")
		return nil
	}
	if err := a.open(c.Context()); err != nil {
		return err
	}
	return errors.Join(rebuild(c.Context(), a, builds.StandardOptions(), &reporter{out: os.Stdout}), a.close())
}
