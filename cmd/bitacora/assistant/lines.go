package assistant

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/domain/analytics"
)

func newAssistantLines() *cobra.Command {
	days := 30
	c := app.Command("lines", "Print what visitors asked that the assistant ought to answer better",
		"  bitacora assistant lines --days 90 > lines.txt",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return printLines(ctx, a, days) })
	c.Long = `Print the questions of the dashboard's list "Respuestas por mejorar", one a line, the most frequent
first: those that were unanswered, rated negative, or not understood with certainty. Questions that
the staff dismissed are left out. Personal data is masked; texts of erased and restricted people are
missing. The assistant does not learn from the lines by itself: add the good ones to its files.`
	c.Flags().IntVar(&days, "days", days, "how many days before now the conversations began at most")
	return c
}

func printLines(ctx context.Context, a *app.App, days int) error {
	tables, _, err := a.Live(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	questions, _, err := tables.Questions(ctx, analytics.QuestionList{
		Cohort: analytics.Cohort{Period: analytics.Period{From: now.AddDate(0, 0, -days), To: now}}, State: analytics.Open, Limit: math.MaxInt32,
	})
	if err != nil {
		return err
	}
	for _, q := range questions {
		fmt.Println(strings.Join(strings.Fields(q.Text), " "))
	}
	return nil
}
