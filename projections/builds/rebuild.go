package builds

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"bitacora/projections"
)

// Options say how a rebuild is done.
type Options struct {
	// Fresh drops an unfinished build instead of going on with it.
	Fresh bool
	// DespiteDifferences switches although the new build differs from the live one.
	DespiteDifferences bool
	// Workers is how many ranges of the log are replayed at once.
	Workers int
	// Rate bounds the events per second; 0 does not.
	Rate int
	// Batch is how many events a range has; 0: as suits the log.
	Batch int64
}

// StandardOptions keep every core busy while others wait for a database.
func StandardOptions() Options { return Options{Workers: runtime.GOMAXPROCS(0) + 1} }

// rangeSize is how many events are replayed and inserted together: as many as suit ClickHouse, in
// a number of ranges that ends for all workers at about the same time.
func (o Options) rangeSize(head int64) int64 {
	if o.Batch > 0 {
		return o.Batch
	}
	const least, most = 10_000, 100_000
	workers := int64(o.Workers)
	turns := max(2, head/(workers*most)+1)
	return max(least, head/(turns*workers)+1)
}

// Reporter is told how a rebuild goes.
type Reporter interface {
	// Say is given a sentence, and what it says as keys and values by turns.
	Say(text string, fields ...any)
	// Progress shows how many of some events are done, until the function it gives is called.
	Progress(work string, done *atomic.Int64, total int64) (end func())
	Compared(v Verification)
}

// DiffersError says that a new build was not switched to.
type DiffersError struct {
	Build, Live string
	// Against is what it was compared with.
	Against string
}

func (e DiffersError) Error() string {
	return fmt.Sprintf("build %s differs from %s: not switched", e.Build, e.Against)
}

// Rebuilder makes the tables anew from the log and switches to them. Each step leaves the build
// in a state that is kept, so that whoever comes after an interruption goes on there.
type Rebuilder struct {
	Builds   RebuiltBuilds
	Live     LiveBuilds
	Planner  Planner
	Replayer Replayer
	Checker  Checker
	Verifier Verifier
	Switcher Switcher
	Dropper  Dropper
	Follower *Follower
	Clock    projections.Clock
}

// RebuiltBuilds are the builds as a rebuild goes through their states.
type RebuiltBuilds interface {
	StatusReader
	BuildMover
	Builds(ctx context.Context) ([]Build, error)
}

// Run brings a build to being live and names it. It must be run by an [Exclusive].
func (r Rebuilder) Run(ctx context.Context, o Options, report Reporter) (build string, err error) {
	build, begun, err := r.Planner.Plan(ctx, o)
	if err != nil {
		return "", err
	}
	if begun {
		report.Say("begun build "+build, "build", build)
	} else {
		report.Say("going on with build "+build, "build", build)
	}
	for {
		s, err := r.Builds.BuildStatus(ctx, build)
		if err != nil {
			return "", err
		}
		switch s.State {
		case Replaying:
			err = r.Replayer.Replay(ctx, build, o, report)
		case Following:
			err = r.prove(ctx, s, o, report)
		case Verified:
			err = r.switchOver(ctx, build)
		default:
			return build, r.dropOld(ctx)
		}
		if err != nil {
			return "", err
		}
	}
}

// prove waits until the build has caught up and compares it.
func (r Rebuilder) prove(ctx context.Context, s Status, o Options, report Reporter) error {
	live, err := r.Live.LiveBuild(ctx)
	if err != nil {
		return err
	}
	if err := r.Checker.Check(ctx, s); err != nil { // nobody would follow it
		return err
	}
	if err := r.catchUp(ctx, s.Name, report); err != nil {
		return err
	}
	result, err := r.Verifier.Compare(ctx, s.Name, live)
	if err != nil {
		return err
	}
	report.Compared(result)
	if result.Differs() && !o.DespiteDifferences {
		return DiffersError{Build: s.Name, Live: live, Against: result.Against}
	}
	return r.Builds.MoveBuild(ctx, s.Name, Verified)
}

// catchUpTo is how many events may be missing before two builds are paused.
const catchUpTo = 2000

func (r Rebuilder) catchUp(ctx context.Context, build string, report Reporter) error {
	for said := r.Clock.Now(); ; {
		s, err := r.Builds.BuildStatus(ctx, build)
		if err != nil {
			return err
		}
		if s.Lag() <= catchUpTo {
			return nil
		}
		if err := r.Follower.Obstacle(build); err != nil {
			return err
		}
		if now := r.Clock.Now(); now.Sub(said) > time.Second {
			said = now
			report.Say(fmt.Sprintf("catching up: %d events behind", s.Lag()), "lag", s.Lag())
		}
		if !r.Clock.Sleep(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

func (r Rebuilder) switchOver(ctx context.Context, build string) error {
	live, err := r.Live.LiveBuild(ctx)
	if err != nil {
		return err
	}
	return r.Switcher.Switch(ctx, build, live)
}

// dropOld drops what nobody needs for a rollback any more.
func (r Rebuilder) dropOld(ctx context.Context) error {
	all, err := r.Builds.Builds(ctx)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(all, func(b Build) bool { return b.State != Kept })
	slices.SortFunc(kept, func(a, b Build) int { return a.ChangedAt.Compare(b.ChangedAt) })
	for _, b := range kept[:max(0, len(kept)-1)] {
		if err := r.Dropper.Drop(ctx, b.Name); err != nil {
			return err
		}
	}
	return nil
}

// Replayer reads the log into a new build, range by range.
type Replayer struct {
	Builds    ReplayedBuilds
	Ranges    RangeKeeper
	Admission Admission
	Streams   StreamApplier
	Waiting   WaitingLister
	Log       projections.Source
	Writer    func(build string) projections.Writer
	Store     func(build string) projections.ParkingStore
	Logger    *slog.Logger
}

// ReplayedBuilds are the builds that begin to follow once they are replayed.
type ReplayedBuilds interface {
	StatusReader
	BuildMover
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

// Renewer makes a new build whenever the live one was made by another version of the projections.
// The old one answers meanwhile.
type Renewer struct {
	Builds    StatusLister
	Exclusive Exclusive
	Rebuild   func(ctx context.Context) error
	Clock     projections.Clock
	Logger    *slog.Logger
}

// Run rebuilds whenever that is due, until ctx ends.
func (r Renewer) Run(ctx context.Context) {
	const pauseAfterFailure = 30 * time.Second
	for {
		pause := lookAgain
		if r.due(ctx) {
			r.Logger.Info("rebuilding: the live build was made by another version of the projections")
			err := r.Exclusive.Run(ctx, r.Rebuild)
			if err != nil && ctx.Err() == nil {
				r.Logger.Error("the rebuild failed, trying again later", "error", err)
				pause = pauseAfterFailure
			} else if ctx.Err() == nil {
				r.Logger.Info("rebuilt: the new build is live")
			}
		}
		if !r.Clock.Sleep(ctx, pause) {
			return
		}
	}
}

// due says whether the live build was made by another version.
func (r Renewer) due(ctx context.Context) bool {
	list, err := r.Builds.BuildStatuses(ctx)
	if err != nil {
		return false
	}
	for _, s := range list {
		if s.State == Live {
			return s.Version != projections.Version
		}
	}
	return false
}
