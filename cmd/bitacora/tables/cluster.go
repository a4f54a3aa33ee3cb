package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// NewCluster is "bitacora cluster".
func NewCluster() *cobra.Command {
	show := app.Command("show", "Show the nodes, what they hold and what they lack", "  bitacora cluster show", cobra.NoArgs, showCluster)
	show.Long = "Show the nodes of the ClickHouse cluster, what they hold and what they lack.\n\nExit code 3 says that one does not answer or lacks rows."
	refill := app.Command("refill NODE", "Have all rows of a node made anew", "  bitacora cluster refill h2:8123", cobra.ExactArgs(1), refillCluster)
	refill.Long = `Remove the rows of a node of the ClickHouse cluster, named as in BITACORA_CLICKHOUSE_URL, because they are wrong
or its disk is an old copy. serve and project fill it from the log, as they fill nodes that were away. Meanwhile the
dashboard answers from the other replicas.`
	command.WhenLeft(refill, command.LeavesPart)
	return command.Group(&cobra.Command{Use: "cluster", Short: "Look after the nodes of the ClickHouse cluster"}, show, refill)
}

func showCluster(ctx context.Context, a *app.App, _ []string) error {
	nodes, err := a.Tables.Nodes(ctx)
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		fmt.Println("one server alone: BITACORA_CLICKHOUSE_CLUSTER names no cluster")
		return nil
	}
	lacks, complete := map[string]string{}, "complete"
	gaps, found := a.Builds.Refiller.Gaps(ctx, "")
	if found != nil {
		complete = "answers"
	}
	for _, g := range gaps {
		lacks[g.Node] += " " + g.Build
		if g.From == "" {
			lacks[g.Node] += ", which no replica has: bitacora rebuild"
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NODE\tHOLDS\tIS")
	for _, n := range nodes {
		is := complete
		switch {
		case n.Err != nil:
			is, found = command.OneLine(n.Err.Error()), command.ErrFound
		case lacks[n.Address] != "":
			is, found = "lacks its rows of"+lacks[n.Address], command.ErrFound
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", n.Address, n.Place, is)
	}
	return errors.Join(w.Flush(), found)
}

func refillCluster(ctx context.Context, a *app.App, args []string) error {
	return a.Builds.Refiller.Run(ctx, args[0], func(g builds.Gap) {
		fmt.Printf("build %s: what %s had is removed, and is made anew from the log\n", g.Build, g.Node)
	})
}
