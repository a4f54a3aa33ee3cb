package eventlog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
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
	var format string
	c := &cobra.Command{
		Use: "query NAME|FILE", Short: "Print the SQL of a question that the dashboard asks, or run it or that of a file on the live build",
		Example: `  bitacora query kpis
  bitacora query kpis --run --from 2026-11-01 --to 2026-11-30 --filter lead=true,out_of_hours=true
  bitacora query messages --run --param conversation_id=c1
  bitacora query questions/leads.sql --format csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			as, known := clickhouse.Formats[format]
			if !known {
				return command.MisusedCommand(c, fmt.Errorf("no format is called %q, but %s", format, strings.Join(slices.Sorted(maps.Keys(clickhouse.Formats)), ", ")))
			}
			sql, err := clickhouse.Question(given[0])
			text, notRead := os.ReadFile(given[0])
			file := err != nil && notRead == nil
			switch {
			case file:
				sql = string(text)
			case err != nil:
				return command.MisusedCommand(c, err)
			case !run:
				fmt.Print(sql)
				return nil
			}
			a, err := app.Open(c)
			if err != nil {
				return err
			}
			return errors.Join(runQuery(c.Context(), a, question{sql, file, as}, from, to, filter, others), a.Close())
		},
	}
	c.Long = c.Short + ".\n\nNAME is one of " + strings.Join(clickhouse.Questions(), ", ") + `.

A file is run on the views for analysts, see schema/README.md; schema/QUESTIONS.md contains examples.`
	c.Flags().BoolVar(&run, "run", false, "print the answer instead")
	c.Flags().StringVar(&format, "format", "table", "of the answer: table, csv or json, which has one object a line")
	c.Flags().StringVar(&from, "from", "", "first day or instant of the period; default: 30 days before its end")
	c.Flags().StringVar(&to, "to", "", "last day or instant of the period; default: now")
	c.Flags().StringToStringVar(&filter, "filter", map[string]string{}, "conditions on the conversations, see cohort in schema/README.md")
	c.Flags().StringToStringVar(&others, "param", nil, "further parameters that the question has")
	return c
}

// question is SQL about a build's tables, or about the views where it stands in a file.
type question struct {
	sql    string
	file   bool
	format string
}

// runQuery passes the parameters of a question as they were given.
func runQuery(ctx context.Context, a *app.App, q question, from, to string, filter, others map[string]string) error {
	period, err := analytics.ParsePeriod(from, to, time.Now(), a.Clinic.Zone)
	if err != nil {
		return command.Misuse(err)
	}
	reader, _, err := a.LiveReader(ctx)
	if err != nil {
		return err
	}
	zone, err := reader.Zone(ctx)
	if err != nil {
		return err
	}
	period = period.In(zone)
	parameters := map[string]any{"filter": filter}
	for name, value := range others {
		parameters[name] = value
	}
	if q.file {
		reader = reader.Views()
	}
	err = reader.Ask(ctx, os.Stdout, q.format, q.sql, analytics.Cohort{Period: period, Hours: a.Clinic.Hours}, parameters)
	if clickhouse.KindOf(err) == fault.Invalid {
		return command.Misuse(err)
	}
	return err
}
