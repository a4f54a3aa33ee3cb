package eventlog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

// NewQuery is "bitacora query".
func NewQuery() *cobra.Command {
	var from, to string
	var filter, others map[string]string
	var run bool
	c := &cobra.Command{
		Use: "query NAME", Short: "Print the SQL of a question that the dashboard asks, or run it on the live build",
		Example: `  bitacora query kpis
  bitacora query kpis --run --from 2026-11-01 --to 2026-11-30 --filter lead=true,out_of_hours=true
  bitacora query messages --run --param conversation_id=c1`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			sql, err := clickhouse.Question(given[0])
			if err != nil {
				return command.MisusedCommand(c, err)
			}
			if !run {
				fmt.Print(sql)
				return nil
			}
			a, err := app.Open(c)
			if err != nil {
				return err
			}
			return errors.Join(runQuery(c.Context(), a, sql, from, to, filter, others), a.Close())
		},
	}
	c.Long = c.Short + ".\n\nNAME is one of " + strings.Join(clickhouse.Questions(), ", ") + "."
	c.Flags().BoolVar(&run, "run", false, "print the answer instead")
	c.Flags().StringVar(&from, "from", "", "first day or instant of the period; default: 30 days before its end")
	c.Flags().StringVar(&to, "to", "", "last day or instant of the period; default: now")
	c.Flags().StringToStringVar(&filter, "filter", map[string]string{}, "conditions on the conversations, see cohort in schema/README.md")
	c.Flags().StringToStringVar(&others, "param", nil, "further parameters that the question has")
	return c
}

// runQuery passes the parameters of a question as they were given.
func runQuery(ctx context.Context, a *app.App, sql, from, to string, filter, others map[string]string) error {
	period, err := analytics.ParsePeriod(from, to, time.Now(), a.Clinic.Zone)
	if err != nil {
		return command.Misuse(err)
	}
	build, err := a.DB.LiveBuild(ctx)
	if err != nil {
		return err
	}
	zone, err := a.Tables.Zone(ctx, build)
	if err != nil {
		return err
	}
	period = period.In(zone)
	parameters := map[string]any{"filter": filter}
	for name, value := range others {
		parameters[name] = value
	}
	err = a.Tables.Reader(build).Ask(ctx, os.Stdout, sql, analytics.Cohort{Period: period, Hours: a.Clinic.Hours}, parameters)
	if clickhouse.KindOf(err) == fault.Invalid {
		return command.Misuse(err)
	}
	return err
}
