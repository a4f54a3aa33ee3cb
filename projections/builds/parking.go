package builds

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"bitacora/domain/event"
	"bitacora/projections"
)

// StreamApplier applies single streams of the log to a build.
type StreamApplier struct {
	Log     StreamReader
	Skipped SkippedReader
	Tables  SubjectRemover
	Writer  func(build string) RetryWriter
}

// StreamReader reads all events of a stream in order.
type StreamReader interface {
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
}

// SkippedReader lists the positions that operators passed over for good.
type SkippedReader interface {
	Skipped(ctx context.Context) (map[int64]bool, error)
}

// SubjectRemover removes all rows of a conversation or a contact message from a build.
type SubjectRemover interface {
	Forget(ctx context.Context, build, subject string) error
}

// RetryWriter is a build's writer that also notes, as durably as rows, that those of a numbered
// retry of parked conversations are stored.
type RetryWriter interface {
	projections.Writer
	Retried(ctx context.Context, retry int64) error
}

// Apply applies a stream's events up to a position, in order, and counts them. One that cannot be
// applied gives a [StillParked].
func (a StreamApplier) Apply(ctx context.Context, build, stream string, through int64) (applied int, err error) {
	events, err := a.Log.ReadStream(ctx, stream)
	if err != nil {
		return 0, err
	}
	skipped, err := a.Skipped.Skipped(ctx)
	if err != nil {
		return 0, err
	}
	var some []event.Recorded
	for _, e := range events {
		if e.Position <= through && !skipped[e.Position] {
			some = append(some, e)
		}
	}
	err = projections.Applier{Writer: a.Writer(build), Parking: refuseParking{}}.Apply(ctx, some)
	return len(some), err
}

// Reapply makes a build say of a stream what its events up to a position mean, and nothing else.
func (a StreamApplier) Reapply(ctx context.Context, build, stream string, through int64) error {
	if subject, ok := subjectOf(stream); ok {
		if err := a.Tables.Forget(ctx, build, subject); err != nil {
			return err
		}
	}
	_, err := a.Apply(ctx, build, stream, through)
	return err
}

// StillParked is the event that a conversation waits for after what was before it was applied.
type StillParked struct{ projections.Parked }

func (s StillParked) Error() string {
	return fmt.Sprintf("it cannot be applied: event %d: %s", s.Position, s.Reason)
}

// refuseParking lets an event that cannot be applied fail instead of parking its stream.
type refuseParking struct{}

func (refuseParking) Exclusions(context.Context) (projections.Exclusions, error) {
	return projections.Exclusions{Parked: map[string]int64{}}, nil
}

func (refuseParking) Park(_ context.Context, parked []projections.Parked) error {
	return StillParked{parked[0]}
}

// ParkingRetrier applies the conversations that wait in a build.
type ParkingRetrier struct {
	Builds  StatusReader
	Streams StreamApplier
	Log     projections.Source
	Parking func(build string) ParkingQueue
	Waiting WaitingLister
	Logger  *slog.Logger
}

// WaitingLister lists the conversations that wait in a build, by the positions they wait for.
type WaitingLister interface {
	Waiting(ctx context.Context, build string) ([]Waiting, error)
}

// ParkingQueue lets the parked conversations of one build go on.
type ParkingQueue interface {
	// Move lets a stream wait on a later event: what comes before that was applied.
	Move(ctx context.Context, to projections.Parked) error
	// Drain lets the follower apply the stream's coming events again, and says up to which
	// position it has left them out, and the number of the retry.
	Drain(ctx context.Context, stream string) (through, retry int64, err error)
	// End takes out a drained stream all of whose events are applied.
	End(ctx context.Context, stream string, through, retry int64) error
}

// RetryReadable applies what waits in a build and can be read by now: what an earlier version of
// the program did not know. An event that still cannot be read is left to wait.
func (r ParkingRetrier) RetryReadable(ctx context.Context, build string) {
	waiting, err := r.Waiting.Waiting(ctx, build)
	for _, one := range waiting {
		var at []event.Recorded
		if at, err = r.Log.Scan(ctx, one.Position-1, one.Position, 1); err != nil {
			break
		}
		if len(at) == 0 || event.Nearest(at[0].Payload) != at[0].Payload {
			continue
		}
		var applied int
		var waits error
		if applied, waits, err = r.Retry(ctx, build, one.Stream); err != nil {
			break
		}
		r.Logger.Info("tried again what waited", "build", build, "stream", one.Stream, "events", applied, "waits", waits)
	}
	if err != nil && ctx.Err() == nil {
		r.Logger.Warn("what waits was not tried again; bitacora parked retry does", "build", build, "error", err)
	}
}

// Retry applies what waits of a stream; waits says on what it does so still.
func (r ParkingRetrier) Retry(ctx context.Context, build, stream string) (applied int, waits, err error) {
	applied, err = r.drain(ctx, build, stream)
	var still StillParked
	if errors.As(err, &still) {
		return 0, still, r.Parking(build).Move(ctx, still.Parked)
	}
	return applied, nil, err
}

// drain applies what waits of a stream and ends its waiting. First everything is tried while the
// stream still waits; then the follower may apply what comes from now on, and what it left out
// in between is applied here.
func (r ParkingRetrier) drain(ctx context.Context, build, stream string) (applied int, err error) {
	s, err := r.Builds.BuildStatus(ctx, build)
	if err != nil {
		return 0, err
	}
	// Rows beyond the write-ahead position would make the tables look like those of another log.
	if _, err = r.Streams.Apply(ctx, build, stream, s.WriteAhead); err != nil {
		return 0, err
	}
	through, retry, err := r.Parking(build).Drain(ctx, stream)
	if err != nil {
		return 0, err
	}
	if applied, err = r.Streams.Apply(ctx, build, stream, through); err != nil {
		return 0, err
	}
	if err := r.Streams.Writer(build).Retried(ctx, retry); err != nil {
		return 0, err
	}
	return applied, r.Parking(build).End(ctx, stream, through, retry)
}

// subjectOf is the conversation, the contact message, the month of refusals, the change of an answer or the account
// that a stream is of: what follows its first slash.
func subjectOf(stream string) (id string, ok bool) {
	_, id, ok = strings.Cut(stream, "/")
	return id, ok
}
