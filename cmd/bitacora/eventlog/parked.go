package eventlog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/domain/event"
	personal "bitacora/domain/privacy"
	"bitacora/domain/subjects"
	"bitacora/projections/builds"
)

// NewParked is "bitacora parked".
func NewParked() *cobra.Command {
	return command.Group(&cobra.Command{Use: "parked", Short: "Look after conversations that cannot be applied to the tables"},
		app.LogCommand("list", "Show which conversations wait, since which event, and why", "  bitacora parked list", cobra.NoArgs, listParked),
		app.Command("retry", "Apply waiting events that this program can apply", "  bitacora parked retry    # after the program was corrected", cobra.NoArgs, RetryParked),
		newParkedSkip())
}

func newParkedSkip() *cobra.Command {
	var reason string
	c := app.Command("skip POSITION", "Omit an event for good, so that its conversation continues without it",
		`  bitacora parked skip 1207 --reason "written by a trial version"`, cobra.ExactArgs(1),
		func(ctx context.Context, a *app.App, args []string) error { return SkipParked(ctx, a, args[0], reason) })
	c.Long = "Omit an event for good, so that its conversation continues without it. The decision is an event: every\nlater rebuild omits it too."
	c.Flags().StringVar(&reason, "reason", "", "why, without personal data, which is refused (required)")
	return c
}

// eachParking visits what waits in each build that was not dropped.
func eachParking(ctx context.Context, db *postgres.DB, visit func(build string, waiting []builds.Waiting) error) error {
	list, err := db.BuildStatuses(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		waiting, err := db.Waiting(ctx, s.Name)
		if err != nil {
			return err
		}
		if err := visit(s.Name, waiting); err != nil {
			return err
		}
	}
	return nil
}

func listParked(ctx context.Context, a *app.App, _ []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	found := false
	err := eachParking(ctx, a.DB, func(build string, waiting []builds.Waiting) error {
		for _, one := range waiting {
			if !found {
				found = true
				fmt.Fprintln(w, "BUILD\tPOSITION\tSTREAM\tSINCE\tREASON")
			}
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", build, one.Position, one.Stream, one.ParkedAt.In(a.Clinic.Zone).Format(time.DateTime), one.Reason)
		}
		return nil
	})
	if err == nil && !found {
		fmt.Println("no conversation waits")
	}
	return errors.Join(err, w.Flush())
}

// RetryParked applies again the events of conversations that wait.
func RetryParked(ctx context.Context, a *app.App, _ []string) error {
	if err := a.Builds.Tables.Wait(ctx); err != nil {
		return err
	}
	applied, left := 0, 0
	err := eachParking(ctx, a.DB, func(build string, waiting []builds.Waiting) error {
		for _, one := range waiting {
			events, waits, err := a.Builds.Parking.Retry(ctx, build, one.Stream)
			switch {
			case errors.Is(err, postgres.ErrNotFound):
				fmt.Printf("%s  %s waits no more: serve applied it meanwhile\n", build, one.Stream)
			case err != nil:
				return err
			case waits != nil:
				left++
				fmt.Printf("%s  %s waits on: %v\n", build, one.Stream, waits)
			default:
				applied++
				fmt.Printf("%s  %s applied, %d events\n", build, one.Stream, events)
			}
		}
		return nil
	})
	if applied+left > 0 {
		err = errors.Join(err, app.RecordAct(ctx, a, &event.ParkedRetried{OperatorAct: app.ActOfOperator, Applied: applied, Waiting: left}))
	}
	if err == nil && left > 0 {
		return command.ErrFound
	}
	return err
}

// mustTellOfNobody refuses a text of an operator that names a person.
func mustTellOfNobody(ctx context.Context, a *app.App, reason string) error {
	if personal.Mask(reason, personal.Known{Public: a.Clinic.Contacts()}) != reason {
		return command.Misuse(errors.New("--reason holds a name, a phone number, an e-mail address or a document's number: leave it out"))
	}
	if err := a.DB.Log().IndexSubjects(ctx, nil); err != nil {
		return err
	}
	tells, err := privacy.SubjectRegister(a).TellsOf(ctx, reason)
	if err == nil && tells {
		err = command.Misuse(errors.New("--reason names a person whom the clinic knows: leave the name, the number or the address out"))
	}
	return err
}

// SkipParked passes over the event at a position, for a reason.
func SkipParked(ctx context.Context, a *app.App, at, reason string) error {
	position, err := strconv.ParseInt(at, 10, 64)
	if err != nil || position < 1 {
		return command.Misuse(fmt.Errorf("%q is no position of the log", at))
	}
	if strings.TrimSpace(reason) == "" {
		return command.Misuse(errors.New("--reason must say why"))
	}
	skipped, err := a.DB.Log().Skipped(ctx)
	if err != nil {
		return err
	}
	if skipped[position] {
		fmt.Printf("event %d is passed over already\n", position)
	} else if err := recordSkip(ctx, a, position, reason); err != nil {
		return err
	}
	// The decision stands, whatever becomes of the tables now.
	waiting, cancel := context.WithTimeout(ctx, subjects.Patience)
	defer cancel()
	if err := a.Builds.Tables.Wait(waiting); err != nil && ctx.Err() == nil {
		fmt.Println(`pending: ClickHouse does not answer; once it does, "bitacora parked retry" applies the conversation`)
		return nil
	}
	return RetryParked(ctx, a, nil)
}

// recordSkip takes the decision down to pass over an event for which a conversation waits.
func recordSkip(ctx context.Context, a *app.App, position int64, reason string) error {
	stream := ""
	err := eachParking(ctx, a.DB, func(_ string, waiting []builds.Waiting) error {
		for _, one := range waiting {
			if one.Position == position {
				stream = one.Stream
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if stream == "" {
		return fmt.Errorf("no conversation waits for event %d; bitacora parked list shows which do", position)
	}
	if err := mustTellOfNobody(ctx, a, reason); err != nil {
		return err
	}
	if err := app.RecordIn(ctx, a, event.SkippedStream(position), &event.EventSkipped{Position: position, Stream: stream, Reason: reason}); err != nil {
		return err
	}
	fmt.Printf("event %d of %s is passed over\n", position, stream)
	return nil
}
