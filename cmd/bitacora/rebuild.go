package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"bitacora/projections"
	"bitacora/projections/builds"
)

func newRebuild() *cobra.Command {
	o := standardRebuild()
	var dry bool
	c := command("rebuild", "Make the tables anew from the log, prove them, and switch to them",
		`  bitacora rebuild                # interrupted? run it again: it goes on where it was
  bitacora rebuild --dry-run      # would this program understand the whole log?
  bitacora rebuild --rate 20000   # gently, beside a busy clinic`,
		cobra.NoArgs, func(ctx context.Context, h *app, _ []string) error {
			if dry {
				return h.dryRun(ctx, o.json)
			}
			return h.rebuild(ctx, o)
		})
	c.Long = `Make the tables anew from the log, prove them, and switch to them.

A new build is filled by several readers, catches up, follows the log, is compared with the
live one at the same position (or, where that one cannot be relied on, with a recount of the
log), and becomes live at once. The dashboard answers throughout. The build before is kept up
for "bitacora rollback"; older ones are dropped.`
	c.Flags().BoolVar(&dry, "dry-run", false, "only decode the whole log with this program and report what it does not understand")
	c.Flags().BoolVar(&o.json, "json", false, "progress and result as JSON, one object a line")
	c.Flags().BoolVar(&o.fresh, "fresh", false, "drop an unfinished build instead of going on with it")
	c.Flags().BoolVar(&o.despite, "despite-differences", false, "switch although the new build differs from the live one")
	c.Flags().IntVar(&o.rate, "rate", 0, "at most so many events per second; 0: as fast as it goes")
	c.Flags().IntVar(&o.workers, "workers", o.workers, "ranges of the log that are replayed at once")
	c.Flags().Int64Var(&o.batch, "batch", 0, "events of a range, whose rows are inserted together; 0: as suits the log")
	return c
}

type rebuildOptions struct {
	json, fresh, despite bool
	rate, workers        int
	batch                int64
}

// standardRebuild keeps every core busy while others wait for a database.
func standardRebuild() rebuildOptions {
	return rebuildOptions{workers: runtime.GOMAXPROCS(0) + 1}
}

// rebuilding is the work that one process at a time may do on builds.
const rebuilding = "rebuild"

// rebuild brings a build from where it is to being live, step by step. Each step leaves the
// build in a state that is kept, so that whoever comes after an interruption goes on there.
func (a *app) rebuild(ctx context.Context, o rebuildOptions) error {
	if o.batch < 0 || o.rate < 0 || o.workers < 1 {
		return misuse{errors.New("--batch and --rate must not be below 0, --workers not below 1")}
	}
	return a.besideFollowers(ctx, func(ctx context.Context) error {
		r := &rebuild{app: a, options: o, report: newReporter(o.json)}
		return r.run(ctx)
	})
}

// rebuild is one build on its way to being live.
type rebuild struct {
	*app
	options rebuildOptions
	report  *reporter
	build   string
	began   time.Time
}

// steps lead from each state to the next.
var steps = map[builds.State]func(*rebuild, context.Context) error{
	builds.Replaying: (*rebuild).replay,
	builds.Following: (*rebuild).prove,
	builds.Verified:  (*rebuild).switchOver,
}

func (r *rebuild) run(ctx context.Context) error {
	r.began = time.Now()
	if err := r.begin(ctx); err != nil {
		return err
	}
	for {
		s, err := r.db.BuildStatus(ctx, r.build)
		if err != nil {
			return err
		}
		step, ok := steps[s.State]
		if !ok {
			return r.conclude(ctx)
		}
		if err := step(r, ctx); err != nil {
			return err
		}
	}
}

// begin finds the unfinished build to go on with, or begins one. Unfinished builds that
// this program cannot finish are dropped.
func (r *rebuild) begin(ctx context.Context) error {
	all, err := r.db.Builds(ctx)
	if err != nil {
		return err
	}
	epoch, err := r.db.Log().Epoch(ctx)
	if err != nil {
		return err
	}
	for _, b := range all {
		if _, unfinished := steps[b.State]; !unfinished {
			continue
		}
		if b.Epoch == epoch && b.Version == projections.Version && !r.options.fresh && r.build == "" && r.usable(ctx, b) {
			r.build = b.Name
			r.report.say("going on with build "+b.Name, "build", b.Name)
			if b.State == builds.Verified { // it may be long ago
				if err := r.db.MoveBuild(ctx, b.Name, builds.Following); err != nil {
					return err
				}
			}
			continue
		}
		if err := r.dropBuild(ctx, b.Name); err != nil {
			return err
		}
	}
	if r.build != "" {
		return nil
	}
	taken, err := r.tables.BuildNames(ctx)
	if err != nil {
		return err
	}
	if err := r.sweep(ctx, all, taken); err != nil {
		return err
	}
	r.build = builds.NextName(all, taken)
	size, err := r.rangeSize(ctx)
	if err != nil {
		return err
	}
	if err := r.db.BeginBuild(ctx, r.build, projections.Version, size); err != nil {
		return err
	}
	r.report.say("begun build "+r.build, "build", r.build)
	return nil
}

// rangeSize is how many events are replayed and inserted together: as many as suit
// ClickHouse, in a number of ranges that ends for all workers at about the same time.
func (r *rebuild) rangeSize(ctx context.Context) (int64, error) {
	if r.options.batch > 0 {
		return r.options.batch, nil
	}
	const least, most = 10_000, 100_000
	head, err := r.db.Log().Head(ctx)
	workers := int64(r.options.workers)
	turns := max(2, head/(workers*most)+1)
	return max(least, head/(turns*workers)+1), err
}

// sweep removes the tables of dropped builds, which an interruption left behind.
func (r *rebuild) sweep(ctx context.Context, all []builds.Build, present []string) error {
	for _, b := range all {
		if b.State == builds.Dropped && slices.Contains(present, b.Name) {
			if err := r.tables.DropBuild(ctx, b.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// usable says whether the tables of an unfinished build are there as they should be. One
// that replays may not have any yet.
func (r *rebuild) usable(ctx context.Context, b builds.Build) bool {
	s, err := r.db.BuildStatus(ctx, b.Name)
	if err != nil {
		return false
	}
	_, marked, err := r.tables.Origin(ctx, b.Name)
	return err == nil && (r.app.builds.checker.Check(ctx, s) == nil || !marked && s.Replayed == 0 && !s.Started)
}

// replayMemory is how many bytes a replay may hold before what is gone is collected at once.
const replayMemory = 640 << 20

// replay reads what is left of the build's ranges.
func (r *rebuild) replay(ctx context.Context) error {
	// Most of what is made here is gone with its range: collecting it less often is faster,
	// up to a bound.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(replayMemory, debug.SetMemoryLimit(-1))))
	s, err := r.db.BuildStatus(ctx, r.build)
	if err != nil {
		return err
	}
	if err := r.tables.CreateBuild(ctx, r.build); err != nil {
		return err
	}
	if err := r.tables.SetOrigin(ctx, r.build, builds.Origin{Epoch: s.LogEpoch, Version: s.Version}); err != nil {
		return err
	}
	left, err := r.db.RangesLeft(ctx, r.build)
	if err != nil {
		return err
	}
	var events int64
	for _, one := range left {
		events += one.Events()
	}
	var done atomic.Int64
	progress := r.report.progress("replayed", &done, events)
	parking := r.db.Parking(r.build)
	err = projections.Replay{
		Source:  r.db.Log(),
		Applier: projections.Applier{Writer: r.meters.measured(r.build, r.tables.Writer(r.build)), Parking: parking},
		Done:    func(ctx context.Context, one projections.Range) error { return r.db.RangeDone(ctx, r.build, one) },
		Observe: func(n int) { done.Add(int64(n)) },
		OnError: func(err error) { r.log.Warn("a range was not replayed, trying again", "error", err) },
		Workers: r.options.workers,
		Rate:    r.options.rate,
	}.Run(ctx, left)
	progress()
	if err != nil {
		return err
	}
	if err := r.cutParked(ctx); err != nil {
		return err
	}
	return r.db.MoveBuild(ctx, r.build, builds.Following)
}

// cutParked takes out what another range told of a parked conversation beyond the event
// for which it waits: ranges are replayed in any order, conversations wait in theirs.
func (r *rebuild) cutParked(ctx context.Context) error {
	waiting, err := r.db.Waiting(ctx, r.build)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		if err := r.app.builds.streams.Reapply(ctx, r.build, w.Stream, w.Position-1); err != nil {
			return err
		}
	}
	return nil
}

// catchUpTo is how many events may be missing before two builds are brought to rest.
const catchUpTo = 2000

// prove waits until the build has caught up and compares it.
func (r *rebuild) prove(ctx context.Context) error {
	live, err := r.db.LiveBuild(ctx)
	if err != nil {
		return err
	}
	s, err := r.db.BuildStatus(ctx, r.build)
	if err != nil {
		return err
	}
	if err := r.app.builds.checker.Check(ctx, s); err != nil { // nobody would follow it
		return err
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	result, err := r.compare(ctx, r.build, live)
	if err != nil {
		return err
	}
	r.report.verified(result)
	if result.differs() && !r.options.despite {
		r.report.say(fmt.Sprintf(`build %s differs from %s: not switched.
"bitacora verify %s" and "bitacora verify %s" hold each against the log; "bitacora rebuild
--despite-differences" switches if the new one is right, "--fresh" begins anew.`, r.build, result.Against, live, r.build))
		return errFound
	}
	return r.db.MoveBuild(ctx, r.build, builds.Verified)
}

func (r *rebuild) catchUp(ctx context.Context) error {
	for told := time.Now(); ; {
		s, err := r.db.BuildStatus(ctx, r.build)
		if err != nil {
			return err
		}
		if s.Lag() <= catchUpTo {
			return nil
		}
		if obstacle := r.app.builds.follower.Obstacle(r.build); obstacle != nil {
			return obstacle
		}
		if time.Since(told) > time.Second {
			told = time.Now()
			r.report.say(fmt.Sprintf("catching up: %d events behind", s.Lag()), "lag", s.Lag())
		}
		if !pause(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// switchOver makes the build live.
func (r *rebuild) switchOver(ctx context.Context) error {
	live, err := r.db.LiveBuild(ctx)
	if err != nil {
		return err
	}
	return r.switchTo(ctx, r.build, live)
}

// conclude drops what nobody needs for a rollback any more.
func (r *rebuild) conclude(ctx context.Context) error {
	all, err := r.db.Builds(ctx)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(all, func(b builds.Build) bool { return b.State != builds.Kept })
	slices.SortFunc(kept, func(a, b builds.Build) int { return a.ChangedAt.Compare(b.ChangedAt) })
	for _, b := range kept[:max(0, len(kept)-1)] {
		if err := r.dropBuild(ctx, b.Name); err != nil {
			return err
		}
	}
	r.report.say(fmt.Sprintf("build %s is live after %v, %s of memory at most", r.build, time.Since(r.began).Round(time.Millisecond), peakMemory()),
		"build", r.build, "seconds", time.Since(r.began).Seconds(), "peakBytes", peakBytes())
	return nil
}

// dropBuild removes a build that is not live, once its follower has let go of it.
func (a *app) dropBuild(ctx context.Context, name string) error {
	if err := a.db.MoveBuild(ctx, name, builds.Dropped); err != nil {
		return err
	}
	patience, cancel := context.WithTimeout(ctx, 2*builds.LeaseTime)
	defer cancel()
	for {
		err := a.db.WithLease(patience, name, func(context.Context) error { return nil })
		if err == nil || !errors.Is(err, builds.ErrBusy) || !pause(patience, 100*time.Millisecond) {
			break
		}
	}
	return a.tables.DropBuild(ctx, name)
}
