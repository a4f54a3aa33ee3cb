package main

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
	"bitacora/domain/event"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
	"bitacora/projections/builds"
)

func newParked() *cobra.Command {
	return group(&cobra.Command{Use: "parked", Short: "Look after conversations that cannot be applied to the tables"},
		logCommand("list", "Show which conversations wait, since which event, and why", "  bitacora parked list", cobra.NoArgs, listParked),
		command("retry", "Apply waiting events that this program can apply", "  bitacora parked retry    # after the program was corrected", cobra.NoArgs, retryParked),
		newParkedSkip())
}

func newParkedSkip() *cobra.Command {
	var reason string
	c := command("skip POSITION", "Omit an event for good, so that its conversation continues without it",
		`  bitacora parked skip 1207 --reason "written by a trial version"`, cobra.ExactArgs(1),
		func(ctx context.Context, a *app, args []string) error { return skipParked(ctx, a, args[0], reason) })
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

func listParked(ctx context.Context, a *app, _ []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	found := false
	err := eachParking(ctx, a.db, func(build string, waiting []builds.Waiting) error {
		for _, one := range waiting {
			if !found {
				found = true
				fmt.Fprintln(w, "BUILD\tPOSITION\tSTREAM\tSINCE\tREASON")
			}
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", build, one.Position, one.Stream, one.ParkedAt.In(a.clinic.Zone).Format(time.DateTime), one.Reason)
		}
		return nil
	})
	if err == nil && !found {
		fmt.Println("no conversation waits")
	}
	return errors.Join(err, w.Flush())
}

func retryParked(ctx context.Context, a *app, _ []string) error {
	if err := a.builds.tables.Wait(ctx); err != nil {
		return err
	}
	applied, left := 0, 0
	err := eachParking(ctx, a.db, func(build string, waiting []builds.Waiting) error {
		for _, one := range waiting {
			events, waits, err := a.builds.parking.Retry(ctx, build, one.Stream)
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
		err = errors.Join(err, recordAct(ctx, a, &event.ParkedRetried{OperatorAct: actOfOperator, Applied: applied, Waiting: left}))
	}
	if err == nil && left > 0 {
		return errFound
	}
	return err
}

// mustTellOfNobody refuses a text of an operator that names a person.
func mustTellOfNobody(ctx context.Context, a *app, reason string) error {
	if privacy.Mask(reason, privacy.Known{Public: a.clinic.Contacts()}) != reason {
		return misuse{errors.New("--reason holds a name, a phone number, an e-mail address or a document's number: leave it out")}
	}
	if err := a.db.Log().IndexSubjects(ctx, nil); err != nil {
		return err
	}
	tells, err := subjectRegister(a).TellsOf(ctx, reason)
	if err == nil && tells {
		err = misuse{errors.New("--reason names a person whom the clinic knows: leave the name, the number or the address out")}
	}
	return err
}

func skipParked(ctx context.Context, a *app, at, reason string) error {
	position, err := strconv.ParseInt(at, 10, 64)
	if err != nil || position < 1 {
		return misuse{fmt.Errorf("%q is no position of the log", at)}
	}
	if strings.TrimSpace(reason) == "" {
		return misuse{errors.New("--reason must say why")}
	}
	skipped, err := a.db.Log().Skipped(ctx)
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
	if err := a.builds.tables.Wait(waiting); err != nil && ctx.Err() == nil {
		fmt.Println(`pending: ClickHouse does not answer; once it does, "bitacora parked retry" applies the conversation`)
		return nil
	}
	return retryParked(ctx, a, nil)
}

// recordSkip takes the decision down to pass over an event for which a conversation waits.
func recordSkip(ctx context.Context, a *app, position int64, reason string) error {
	stream := ""
	err := eachParking(ctx, a.db, func(_ string, waiting []builds.Waiting) error {
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
	if err := recordIn(ctx, a, event.SkippedStream(position), &event.EventSkipped{Position: position, Stream: stream, Reason: reason}); err != nil {
		return err
	}
	fmt.Printf("event %d of %s is passed over\n", position, stream)
	return nil
}
