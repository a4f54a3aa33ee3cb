package builds

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"bitacora/domain/event"
	"bitacora/projections"
)

// Options say how a rebuild is done.
type Options struct {
	// Fresh drops an unfinished build instead of going on with it.
	Fresh bool
	// DespiteDifferences switches although the new build differs from the live one.
	DespiteDifferences bool
	// Distrust, if set, says why the new build is not held against the live one.
	Distrust error
	// Workers is how many ranges of the log are replayed at once.
	Workers int
	// Rate bounds the events per second; 0 does not.
	Rate int
	// Batch is how many events a range has; 0: as suits the log.
	Batch int64
	// By is whose doing the rebuild is.
	By event.OperatorAct
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
	BuildStates
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
			err = r.switchOver(ctx, s, o.By)
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
	result, err := r.Verifier.Compare(ctx, s.Name, live, o.Distrust)
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

func (r Rebuilder) switchOver(ctx context.Context, build Status, by event.OperatorAct) error {
	live, err := r.Live.LiveBuild(ctx)
	if err != nil {
		return err
	}
	return r.Switcher.Switch(ctx, build.Name, live, &event.TablesRebuilt{
		OperatorAct: by, Build: build.Name, Former: live, Through: build.Position,
	})
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
