package eventlog

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/analytics"
)

// NewKpis is "bitacora kpis".
func NewKpis() *cobra.Command {
	var from, to, asOf string
	c := app.LogCommand("kpis", "Print the numbers of the dashboard, now or at an earlier position, from the log alone",
		`  bitacora kpis --from 2026-11-01 --to 2026-11-30
  bitacora kpis --from 2026-11-01 --to 2026-11-30 --as-of 120000
  bitacora kpis --from 2026-11-01 --to 2026-11-30 --as-of 2026-11-15T12:00:00-05:00`,
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return printKPIs(ctx, a, from, to, asOf) })
	command.WhenLeft(c, command.LeavesAll)
	c.Flags().StringVar(&from, "from", "", "first day or instant of the period; default: 30 days before its end")
	c.Flags().StringVar(&to, "to", "", "last day or instant of the period; default: now")
	c.Flags().StringVar(&asOf, "as-of", "", "a position of the log, or the instant up to which events were recorded; default: everything")
	return c
}

// kpisAsOf is the dashboard's row of numbers as of a position of the log.
type kpisAsOf struct {
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	AsOfPosition int64     `json:"asOfPosition"`
	analytics.KPIs
	FlaggedConversations int `json:"flaggedConversations"`
	Unreadable           int `json:"unreadable,omitempty"`
}

func printKPIs(ctx context.Context, a *app.App, from, to, asOf string) error {
	through, before, err := parseAsOf(asOf)
	if err != nil {
		return err
	}
	period, err := analytics.ParsePeriod(from, to, time.Now(), a.Clinic.Zone)
	if err != nil {
		return command.Misuse(err)
	}
	recount := analytics.NewRecount()
	skipped, err := a.DB.Log().Skipped(ctx)
	if err != nil {
		return err
	}
	at := int64(0)
	for whole := false; !whole; {
		events, err := a.DB.Log().ScanClear(ctx, at, through, app.ReadBatch)
		if err != nil {
			return err
		}
		whole = len(events) == 0
		for _, e := range events {
			if e.RecordedAt.After(before) {
				whole = true
				break
			}
			if at = e.Position; !skipped[at] {
				recount.Add(e)
			}
		}
	}
	counts := recount.Counts(period)
	return command.PrintJSON(os.Stdout, kpisAsOf{period.From, period.To, at, counts.KPIs(), counts.Flagged, recount.Unreadable})
}

// parseAsOf reads a position, or an instant up to which events were recorded.
func parseAsOf(text string) (position int64, at time.Time, err error) {
	end := time.Unix(math.MaxInt32*1000, 0)
	if text == "" {
		return math.MaxInt64, end, nil
	}
	if position, err := strconv.ParseInt(text, 10, 64); err == nil && position >= 0 {
		return position, end, nil
	}
	if at, err = time.Parse(time.RFC3339Nano, text); err != nil {
		return 0, at, command.Misuse(fmt.Errorf("--as-of: %q is neither a position of the log nor an instant like 2026-11-15T12:00:00-05:00", text))
	}
	return math.MaxInt64, at, nil
}
