package privacy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/event"
	"bitacora/domain/retention"
	"bitacora/projections/builds"
)

// retentionHour is when, at night in the business zone, what is old enough is erased.
const retentionHour = 3

// NewRetention is "bitacora retention".
func NewRetention() *cobra.Command {
	var apply bool
	c := app.LogCommand("retention", "Show whose personal data are older than BITACORA_RETENTION allows, or erase them",
		"  bitacora retention\n  BITACORA_RETENTION=conversations=24mo,leads=36mo bitacora retention\n  bitacora retention --apply",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return ShowRetention(ctx, a, apply) })
	command.WhenLeft(c, "who was erased stays erased: the same command again goes on with the others")
	c.Long = `Show the personal data that are older than BITACORA_RETENTION allows, by kind and by the month of the
last message. Only --apply changes anything: it erases them for good. Events and numbers stay.
"bitacora serve" does so every night, where BITACORA_RETENTION is set.

People with an appointment to come or an open request stay.`
	c.Flags().BoolVar(&apply, "apply", false, "erase them; there is no way back")
	c.PreRun = func(c *cobra.Command, _ []string) {
		if apply {
			delete(c.Annotations, command.Needs) // the tables lose them, too
		}
	}
	return c
}

// ShowRetention prints the personal data that are too old, and erases them where apply is set.
func ShowRetention(ctx context.Context, a *app.App, apply bool) error {
	if len(a.Config.Retention) == 0 {
		return command.Misuse(errors.New("BITACORA_RETENTION is not set: everything is kept until somebody asks"))
	}
	s := retentionOf(a)
	due, err := s.Plan(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("rules: %s\n", s.Rules)
	if len(due) == 0 {
		fmt.Println("nobody's data are older")
		return nil
	}
	if err := PrintDue(os.Stdout, due, a.Clinic.Zone); err != nil {
		return err
	}
	if !apply {
		fmt.Println("nothing was erased; --apply erases them for good")
		return nil
	}
	if err := a.Builds.Tables.Wait(ctx); err != nil {
		return err
	}
	return a.DB.WithLease(ctx, "retention", func(ctx context.Context) error {
		gone, err := s.Apply(ctx, event.ByOperator)
		fmt.Printf("erased: %s\n", tally(gone))
		return err
	})
}

// PrintDue counts by kind and by the month, in a zone, of when people were last heard of.
func PrintDue(out io.Writer, due []retention.Due, zone *time.Location) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tLAST HEARD OF\tCOUNT")
	for len(due) > 0 {
		month := func(d retention.Due) string { return string(d.Kind) + "\t" + d.Heard.In(zone).Format("2006-01") }
		n := slices.IndexFunc(due, func(d retention.Due) bool { return month(d) != month(due[0]) })
		if n < 0 {
			n = len(due)
		}
		fmt.Fprintf(w, "%s\t%d\n", month(due[0]), n)
		due = due[n:]
	}
	return w.Flush()
}

// tally is how many of which kind.
func tally(gone []retention.Due) string {
	counts := map[retention.Kind]int{}
	for _, d := range gone {
		counts[d.Kind]++
	}
	parts := make([]string, len(retention.Kinds))
	for i, kind := range retention.Kinds {
		parts[i] = fmt.Sprintf("%d %s", counts[kind], kind)
	}
	return strings.Join(parts, ", ")
}

// retentionOf is what erases by the rules that are set.
func retentionOf(a *app.App) *retention.Service {
	return &retention.Service{
		Log: a.DB.Log(), Eraser: oldErasure{SubjectRegister(a)}, Rules: a.Config.Retention,
		Now: func() time.Time { return time.Now().In(a.Clinic.Zone) }, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// Retain erases every night, until ctx ends, whose data are old enough. Of any number of processes
// one does it.
func Retain(ctx context.Context, a *app.App) {
	if len(a.Config.Retention) == 0 {
		return
	}
	for command.Pause(ctx, time.Until(NextNight(time.Now().In(a.Clinic.Zone)))) {
		var gone []retention.Due
		_, err := a.DB.TryWithLease(ctx, "retention", builds.LeaseTime, func(ctx context.Context) (err error) {
			gone, err = retentionOf(a).Apply(ctx, event.ByProgram)
			return err
		})
		switch {
		case err != nil && ctx.Err() == nil:
			a.Log.Warn("personal data that are old enough could not all be erased, trying again next night", "erased", tally(gone), "error", err)
		case len(gone) > 0:
			a.Log.Info("personal data that were old enough are erased", "rules", a.Config.Retention.String(), "erased", tally(gone))
		}
	}
}

// NextNight is the next time at which what is old enough is erased.
func NextNight(now time.Time) time.Time {
	night := time.Date(now.Year(), now.Month(), now.Day(), retentionHour, 0, 0, 0, now.Location())
	if !night.After(now) {
		night = time.Date(now.Year(), now.Month(), now.Day()+1, retentionHour, 0, 0, 0, now.Location())
	}
	return night
}
