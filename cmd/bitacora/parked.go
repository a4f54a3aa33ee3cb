package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/projections"
)

func newParked() *cobra.Command {
	return group(&cobra.Command{Use: "parked", Short: "Look after conversations that cannot be applied to the tables"},
		command("list", "Show which conversations wait, since which event, and why", "  bitacora parked list", cobra.NoArgs, listParked),
		command("retry", "Apply what waits, as far as it can be applied now", "  bitacora parked retry    # after the program was corrected", cobra.NoArgs, retryParked),
		newParkedSkip())
}

func newParkedSkip() *cobra.Command {
	var reason string
	c := command("skip POSITION", "Pass over an event for good, so that its conversation goes on without it",
		`  bitacora parked skip 1207 --reason "written by a trial version"`, cobra.ExactArgs(1),
		func(ctx context.Context, h *app, args []string) error { return skipParked(ctx, h, args[0], reason) })
	c.Long = "Pass over an event for good, so that its conversation goes on without it. The decision is an\nevent itself: every later rebuild keeps to it."
	c.Flags().StringVar(&reason, "reason", "", "why, without personal data (required)")
	return c
}

// eachParking visits the parking lots of all builds that are there.
func (a *app) eachParking(ctx context.Context, visit func(build string, waiting []postgres.Waiting) error) error {
	list, err := a.db.BuildStatuses(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		waiting, err := a.db.Parking(s.Name).List(ctx)
		if err != nil {
			return err
		}
		if err := visit(s.Name, waiting); err != nil {
			return err
		}
	}
	return nil
}

func listParked(ctx context.Context, h *app, _ []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	found := false
	err := h.eachParking(ctx, func(build string, waiting []postgres.Waiting) error {
		for _, one := range waiting {
			if !found {
				found = true
				fmt.Fprintln(w, "BUILD\tPOSITION\tSTREAM\tSINCE\tREASON")
			}
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", build, one.Position, one.Stream, one.ParkedAt.In(h.clinic.Zone).Format(time.DateTime), one.Reason)
		}
		return nil
	})
	if err == nil && !found {
		fmt.Println("no conversation waits")
	}
	return errors.Join(err, w.Flush())
}

func retryParked(ctx context.Context, h *app, _ []string) error {
	if err := h.tables.Wait(ctx); err != nil {
		return err
	}
	left := 0
	err := h.eachParking(ctx, func(build string, waiting []postgres.Waiting) error {
		for _, one := range waiting {
			applied, waits, err := h.retry(ctx, build, one.Stream)
			switch {
			case err != nil:
				return err
			case waits != nil:
				left++
				fmt.Printf("%s  %s waits on: %v\n", build, one.Stream, waits)
			default:
				fmt.Printf("%s  %s applied, %d events\n", build, one.Stream, applied)
			}
		}
		return nil
	})
	if err == nil && left > 0 {
		return errFound
	}
	return err
}

// retryReadable applies what waits of a build and can be read by now: what an earlier version of
// the program did not know. An event that still cannot be read is left to wait.
func (a *app) retryReadable(ctx context.Context, build string) {
	waiting, err := a.db.Parking(build).List(ctx)
	for _, one := range waiting {
		var at []event.Recorded
		if at, err = a.db.Log().Scan(ctx, one.Position-1, one.Position, 1); err != nil {
			break
		}
		if len(at) == 0 || event.Nearest(at[0].Payload) != at[0].Payload {
			continue
		}
		var applied int
		var waits error
		if applied, waits, err = a.retry(ctx, build, one.Stream); err != nil {
			break
		}
		a.log.Info("tried again what waited", "build", build, "stream", one.Stream, "events", applied, "waits", waits)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("what waits was not tried again; bitacora parked retry does", "build", build, "error", err)
	}
}

// retry applies what waits of a stream; waits says on what it does so still.
func (a *app) retry(ctx context.Context, build, stream string) (applied int, waits, err error) {
	applied, err = a.drain(ctx, build, stream)
	var still stillParked
	if errors.As(err, &still) {
		return 0, still, a.db.Parking(build).Move(ctx, still.Parked)
	}
	return applied, nil, err
}

// stillParked is the event that a conversation waits for after what was before it was applied.
type stillParked struct{ projections.Parked }

func (s stillParked) Error() string {
	return fmt.Sprintf("it cannot be applied: event %d: %s", s.Position, s.Reason)
}

// drain applies what waits of a stream and takes it out of the lot. First everything is
// tried while the stream still waits; then the follower is let have what comes from now on,
// and what it passed by in between is applied.
func (a *app) drain(ctx context.Context, build, stream string) (applied int, err error) {
	parking := a.db.Parking(build)
	if _, err = a.applyStream(ctx, build, stream, 0, math.MaxInt64); err != nil {
		return 0, err
	}
	through, retry, err := parking.Drain(ctx, stream)
	if err != nil {
		return 0, err
	}
	if applied, err = a.applyStream(ctx, build, stream, 0, through); err != nil {
		return 0, err
	}
	if err := a.tables.Writer(build).Retried(ctx, retry); err != nil {
		return 0, err
	}
	return applied, parking.End(ctx, stream, through, retry)
}

// applyStream applies a stream's events between two positions, both included, in order.
func (a *app) applyStream(ctx context.Context, build, stream string, from, through int64) (applied int, err error) {
	events, err := a.db.Log().ReadStream(ctx, stream)
	if err != nil {
		return 0, err
	}
	skipped, err := a.db.Skipped(ctx)
	if err != nil {
		return 0, err
	}
	var some []event.Recorded
	for _, e := range events {
		if e.Position >= from && e.Position <= through && !skipped[e.Position] {
			some = append(some, e)
		}
	}
	err = projections.Applier{Writer: a.tables.Writer(build), Parking: refusing{}}.Apply(ctx, some)
	return len(some), err
}

// refusing is a lot that takes nothing.
type refusing struct{}

func (refusing) Exclusions(context.Context) (projections.Exclusions, error) {
	return projections.Exclusions{Parked: map[string]int64{}}, nil
}

func (refusing) Park(_ context.Context, parked []projections.Parked) error {
	return stillParked{parked[0]}
}

func skipParked(ctx context.Context, h *app, at, reason string) error {
	position, err := strconv.ParseInt(at, 10, 64)
	if err != nil || position < 1 {
		return misuse{fmt.Errorf("%q is no position of the log", at)}
	}
	if strings.TrimSpace(reason) == "" {
		return misuse{errors.New("--reason must say why")}
	}
	stream := ""
	err = h.eachParking(ctx, func(_ string, waiting []postgres.Waiting) error {
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
	_, err = h.db.Log().Append(ctx, event.Append{
		Stream: event.OperatorStream, ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{
			ID: uuid.Must(uuid.NewV7()).String(), OccurredAt: time.Now(),
			Payload: &event.EventSkipped{Position: position, Stream: stream, Reason: reason},
		}},
	})
	if err != nil {
		return err
	}
	fmt.Printf("event %d of %s is passed over\n", position, stream)
	return retryParked(ctx, h, nil)
}

// subjectOf is the conversation or the contact message that a stream is of; ok is false for
// other streams.
func subjectOf(stream string) (id string, ok bool) {
	for _, prefix := range []string{chat.Stream(""), event.ContactStream("")} {
		if id, ok = strings.CutPrefix(stream, prefix); ok {
			break
		}
	}
	return id, ok
}

func subjectsOf(streams map[string]bool) []string {
	ids := []string{}
	for stream := range streams {
		if id, ok := subjectOf(stream); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
