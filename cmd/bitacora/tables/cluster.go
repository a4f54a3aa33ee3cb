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
	refill := app.Command("refill [NODE]", "Copy the rows that a node lacks from another replica",
		"  bitacora cluster refill           # whatever nodes lack\n  bitacora cluster refill h2:8123   # everything of one node, in place of what it has",
		cobra.MaximumNArgs(1), refillCluster)
	refill.Long = `Copy the rows that a node of the ClickHouse cluster lacks, because its disk is new, from another replica
of its shard. With a NODE, named as in BITACORA_CLICKHOUSE_URL, everything that it has is replaced.

Meanwhile the log is not applied to the build, and the dashboard answers from the other replicas. What was
interrupted begins anew.`
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
	lacks, lost, complete := map[string]string{}, map[string]string{}, "complete"
	gaps, found := a.Builds.Refiller.Gaps(ctx, "")
	if found != nil {
		complete = "answers"
	}
	for _, g := range gaps {
		if g.From == "" {
			lost[g.Node] += " " + g.Build
		} else {
			lacks[g.Node] += " " + g.Build
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
			is, found = "lacks its rows of"+lacks[n.Address]+": bitacora cluster refill", command.ErrFound
		case lost[n.Address] != "":
			is, found = "lacks its rows of"+lost[n.Address]+", which no replica has: bitacora rebuild", command.ErrFound
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", n.Address, n.Place, is)
	}
	return errors.Join(w.Flush(), found)
}

func refillCluster(ctx context.Context, a *app.App, args []string) error {
	node := ""
	if len(args) == 1 {
		node = args[0]
	}
	filled := 0
	err := a.Builds.Refiller.Run(ctx, node, func(g builds.Gap) builds.Progress {
		filled++
		fmt.Printf("build %s: %s is filled from %s\n", g.Build, g.Node, g.From)
		return command.NewProgress("rows")
	})
	if err == nil && filled == 0 {
		fmt.Println("no node lacks anything")
	}
	return err
}
