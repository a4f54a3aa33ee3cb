package builds

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"bitacora/projections"
)

// Replayer reads the log into a new build, range by range.
type Replayer struct {
	Builds    BuildStates
	Ranges    RangeKeeper
	Admission Admission
	Streams   StreamApplier
	Waiting   WaitingLister
	Log       projections.Source
	Writer    func(build string) projections.Writer
	Store     func(build string) projections.ParkingStore
	Logger    *slog.Logger
}

// RangeKeeper keeps which ranges of the log a build has replayed.
type RangeKeeper interface {
	RangesLeft(ctx context.Context, build string) ([]projections.Range, error)
	// RangeDone keeps that all rows of a range are stored.
	RangeDone(ctx context.Context, build string, r projections.Range) error
}

// replayMemory is how many bytes a replay may use before garbage is collected at once.
const replayMemory = 640 << 20

// Replay reads what is left of the build's ranges and lets it follow.
func (r Replayer) Replay(ctx context.Context, build string, o Options, report Reporter) error {
	// Most of what is made here is gone with its range: collecting it less often is faster,
	// up to a bound.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(replayMemory, debug.SetMemoryLimit(-1))))
	s, err := r.Builds.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	if err := r.Admission.Make(ctx, s); err != nil {
		return err
	}
	left, err := r.Ranges.RangesLeft(ctx, build)
	if err != nil {
		return err
	}
	var events int64
	for _, one := range left {
		events += one.Events()
	}
	var done atomic.Int64
	end := report.Progress("replayed", &done, events)
	err = projections.Replay{
		Source:  r.Log,
		Applier: projections.Applier{Writer: r.Writer(build), Parking: r.Store(build)},
		Done:    func(ctx context.Context, one projections.Range) error { return r.Ranges.RangeDone(ctx, build, one) },
		Observe: func(n int) { done.Add(int64(n)) },
		OnError: func(err error) { r.Logger.Warn("a range was not replayed, trying again", "error", err) },
		Workers: o.Workers,
		Rate:    o.Rate,
	}.Run(ctx, left)
	end()
	if err != nil {
		return err
	}
	if err := r.cutParked(ctx, build); err != nil {
		return err
	}
	return r.Builds.MoveBuild(ctx, build, Following)
}

// cutParked takes out what another range wrote of a parked conversation beyond the event for
// which it waits: ranges are replayed in any order, conversations wait in theirs.
func (r Replayer) cutParked(ctx context.Context, build string) error {
	waiting, err := r.Waiting.Waiting(ctx, build)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		if err := r.Streams.Reapply(ctx, build, w.Stream, w.Position-1); err != nil {
			return err
		}
	}
	return nil
}
